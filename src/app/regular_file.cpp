#include "app/regular_file.h"

#include "base/fd.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace reef::app {

Result<std::string> readRegularFile(const std::string& name, std::size_t most) {
    // Without O_NONBLOCK the opening of a pipe waits for somebody who writes.
    const Fd file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file && errno == ENOENT) return fail({Error::notFound, ENOENT});
    if (!file && (errno == ENXIO || errno == ENODEV)) return fail(Error::unsupported);
    if (!file) return fail(Error::fromErrno());
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return fail(Error::fromErrno());
    if (!S_ISREG(status.st_mode)) return fail(Error::unsupported);
    std::string content;
    char buffer[16384];
    for (;;) {
        const auto got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(Error::fromErrno());
        if (got == 0) return content;
        content.append(buffer, static_cast<std::size_t>(got));
        if (content.size() > most) return fail(Error::tooLarge);
    }
}

} // namespace reef::app
