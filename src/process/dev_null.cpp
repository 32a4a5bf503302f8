#include "process/dev_null.h"

#include <fcntl.h>
#include <system_error>

#include <cerrno>

namespace reef::process {

Fd openDevNull() {
    Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!null) throw std::system_error(errno, std::generic_category(), "/dev/null");
    return null;
}

} // namespace reef::process
