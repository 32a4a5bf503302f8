#include "process/limit_check.h"

#include "base/text.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace reef::process {

namespace {

constexpr unsigned kCapSysNice = 23; // linux/capability.h
constexpr unsigned kCapSysResource = 24;

rlim_t hardLimitOf(int resource) {
    rlimit limit{};
    return ::getrlimit(resource, &limit) == 0 ? limit.rlim_max : RLIM_INFINITY;
}

class Complaints {
public:
    explicit Complaints(const LimitRights& rights) : rights_(rights) {}

    template<class Number>
    void check(const std::optional<Number>& value, int resource, std::string_view name) {
        if (!value || isUnlimited(*value) || rights_.mayRaise) return;
        const rlim_t hard = hardLimitOf(resource);
        if (static_cast<rlim_t>(*value) <= hard) return;
        sentences_.push_back(text::concat(
            "the limit `", name, "` of islands, ", static_cast<std::uint64_t>(*value),
            ", is above the hard limit of whoever starts the server, ",
            static_cast<std::uint64_t>(hard), ", and cannot be set: lower it, or raise that"));
    }

    void checkNice(const std::optional<int>& nice) {
        const int own = ::getpriority(PRIO_PROCESS, 0);
        if (!nice || rights_.mayHurry || *nice >= own) return;
        const rlim_t ceiling = hardLimitOf(RLIMIT_NICE); // 20 - nice
        if (ceiling != RLIM_INFINITY && 20 - *nice <= static_cast<int>(ceiling)) return;
        sentences_.push_back(text::concat("the nice value of islands, ", *nice,
                                          ", is below that of the server, ", own,
                                          ": only root may set it"));
    }

    std::vector<std::string> take() { return std::move(sentences_); }

private:
    LimitRights rights_;
    std::vector<std::string> sentences_;
};

/// A number in a file of its own, as of a cgroup; nothing for "max" or a missing file.
std::optional<ByteCount> numberIn(const char* file) {
    std::ifstream stream(file);
    std::string word;
    if (!(stream >> word)) return std::nullopt;
    return text::parseDecimal(word);
}

ByteCount machinesMemory() {
    const auto pages = ::sysconf(_SC_PHYS_PAGES);
    const auto bytes = ::sysconf(_SC_PAGESIZE);
    ByteCount memory = static_cast<ByteCount>(std::max(pages, 1L)) * static_cast<ByteCount>(bytes);
    for (const char* file :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
        memory = std::min(memory, numberIn(file).value_or(memory));
    return memory;
}

template<class Number>
Number within(Number value, int resource) {
    const rlim_t hard = hardLimitOf(resource);
    return hard < static_cast<rlim_t>(value) ? static_cast<Number>(hard) : value;
}

} // namespace

LimitRights LimitRights::of(pid_t pid) {
    std::ifstream status(text::concat("/proc/", pid, "/status"));
    for (std::string line; std::getline(status, line);) {
        constexpr std::string_view kEffective = "CapEff:\t";
        if (!line.starts_with(kEffective)) continue;
        std::uint64_t bits = 0;
        std::from_chars(line.data() + kEffective.size(), line.data() + line.size(), bits, 16);
        return {((bits >> kCapSysResource) & 1U) != 0, ((bits >> kCapSysNice) & 1U) != 0};
    }
    return {};
}

std::vector<std::string> faultsOfLimits(const Limits& limits, const LimitRights& rights) {
    Complaints complaints(rights);
    if (limits.cpuTime) complaints.check(std::optional(limits.cpuTime->count()), RLIMIT_CPU, "cpu");
    complaints.check(limits.dataSize, RLIMIT_DATA, "memory");
    complaints.check(limits.addressSpace, RLIMIT_AS, "address_space");
    complaints.check(limits.fileSize, RLIMIT_FSIZE, "file_size");
    complaints.check(limits.openFiles, RLIMIT_NOFILE, "files");
    complaints.check(limits.processes, RLIMIT_NPROC, "processes");
    complaints.check(limits.coreSize, RLIMIT_CORE, "core");
    complaints.checkNice(limits.nice);
    return complaints.take();
}

Limits usualLimits() {
    constexpr ByteCount kLeastMemory = 256_MiB;
    Limits limits;
    limits.cpuTime = std::chrono::seconds(within<std::int64_t>(600, RLIMIT_CPU));
    limits.dataSize = within(std::max(kLeastMemory, machinesMemory() / 2), RLIMIT_DATA);
    limits.openFiles = within<std::uint32_t>(1024, RLIMIT_NOFILE);
    limits.processes = within<std::uint32_t>(4096, RLIMIT_NPROC);
    return limits;
}

} // namespace reef::process
