#pragma once

namespace reef::app {

/// The command line: `atoll [COMMAND] [options] [DIR]`. Returns the exit status: 0 done, 1 it
/// failed, 64 the command line is not understood.
int runCommandLine(int argc, char** argv);

} // namespace reef::app
