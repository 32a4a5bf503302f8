#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::gateway {

/// What an island writes to standard error, line by line into the log, with the island's name and
/// process. Long lines are cut; of a flood only the first `kMaxLines` are kept, and that is said
/// once.
class StderrLog {
public:
    static constexpr std::size_t kMaxLineBytes = 2048;
    static constexpr std::size_t kMaxLines = 200;
    static constexpr std::size_t kLastLines = 5;
    static constexpr std::size_t kLastLineBytes = 200;

    /// `island` is the part of the log line: "cgi-bin/form.pl".
    explicit StderrLog(std::string island) : island_(std::move(island)) {}

    void setProcess(int pid, std::string_view requestId);

    /// Who speaks, where it is no run of the island.
    void setSpeaker(std::string_view who) { prefix_ = std::string(who) + ": "; }

    void take(ByteView bytes);

    /// The output has ended: a last line without its end is a line too.
    void finish();

    /// The last lines of it, shortened, given away.
    std::vector<std::string> takeLast() { return std::move(last_); }

    /// A line of the server's about this run.
    void note(std::string_view what) const;

private:
    void endLine();

    std::string island_;
    std::string prefix_; ///< "pid 123 request 5f…: "
    std::string line_;
    bool cut_ = false; ///< the line was too long, and says so
    std::size_t lines_ = 0;
    std::vector<std::string> last_;
};

} // namespace reef::gateway
