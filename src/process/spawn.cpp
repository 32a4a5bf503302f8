#include "process/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

// The child of a vfork-style clone runs in our memory. What it calls must not be a function that a
// sanitizer watches or that libc keeps state for (glibc's setuid would change all of *our*
// threads), so it makes bare system calls on plain data prepared beforehand, and is itself not
// instrumented: it never returns, which would unbalance TSan's idea of our stack.
#define ATOLL_IN_CHILD                                                                             \
    __attribute__((disable_sanitizer_instrumentation,                                              \
                   no_sanitize("address", "undefined", "thread")))

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// TSan takes `clone` for a fork and resets its own state in the child, which here is ours.
extern "C" int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...);
#define ATOLL_CLONE __clone
#endif
#endif
#ifndef ATOLL_CLONE
#define ATOLL_CLONE ::clone
#endif

namespace reef::process {

namespace {

constexpr std::size_t kMaxDescriptors = 16;
constexpr std::size_t kStackBytes = 64 * 1024; // touched only as far as used
constexpr int kSignals = 64;
constexpr std::size_t kSignalSetBytes = kSignals / 8;

/// What the kernel's rt_sigaction takes; all zero is the default disposition on every architecture.
struct KernelAction {
    unsigned long words[4] = {};
};

struct ResourceLimit {
    int resource = 0;
    rlimit value{};
};

/// A spec as plain data, and where the child leaves word of its failure.
struct Plan {
    const char* path = nullptr;
    int program = -1;
    const char* const* arguments = nullptr;
    const char* const* environment = nullptr;
    const char* directory = nullptr;
    std::array<int, kMaxDescriptors> descriptors{};
    int descriptorCount = 0;
    std::array<ResourceLimit, 7> limits{};
    int limitCount = 0;
    bool changesNice = false;
    int nice = 0;
    const gid_t* groups = nullptr;
    std::size_t groupCount = 0;
    bool changesIdentity = false;
    uid_t user = 0;
    gid_t group = 0;
    std::uint64_t resetSignals = 0;
    int parentDeathSignal = 0;
    pid_t parent = 0;

    StartStep failedStep = StartStep::program;
    int failure = 0;
};

[[noreturn]] ATOLL_IN_CHILD void give(Plan& plan, StartStep step, int code) {
    plan.failedStep = step;
    plan.failure = code;
    for (;;)
        ::syscall(SYS_exit_group, 127);
}

ATOLL_IN_CHILD void check(Plan& plan, long result, StartStep step) {
    if (result < 0) give(plan, step, errno);
}

ATOLL_IN_CHILD void limitUse(Plan& plan) {
    for (int i = 0; i < plan.limitCount; ++i) {
        const ResourceLimit* limit = &plan.limits.data()[i];
        check(plan, ::syscall(SYS_prlimit64, 0, limit->resource, &limit->value, nullptr),
              StartStep::limits);
    }
    if (plan.changesNice)
        check(plan, ::syscall(SYS_setpriority, PRIO_PROCESS, 0, plan.nice), StartStep::priority);
}

ATOLL_IN_CHILD void takeIdentity(Plan& plan) {
    if (plan.changesIdentity) {
        check(plan, ::syscall(SYS_setgroups, plan.groupCount, plan.groups), StartStep::identity);
        check(plan, ::syscall(SYS_setresgid, plan.group, plan.group, plan.group),
              StartStep::identity);
        check(plan, ::syscall(SYS_setresuid, plan.user, plan.user, plan.user), StartStep::identity);
    }
    check(plan, ::syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), StartStep::privileges);
}

/// After the identity: a change of user makes the kernel forget the signal.
ATOLL_IN_CHILD void tieToParent(Plan& plan) {
    if (plan.parentDeathSignal == 0) return;
    check(plan, ::syscall(SYS_prctl, PR_SET_PDEATHSIG, plan.parentDeathSignal, 0, 0, 0),
          StartStep::parentDeath);
    // The parent may have died before; then nobody reads what we say.
    if (::syscall(SYS_getppid) != plan.parent) give(plan, StartStep::parentDeath, ESRCH);
}

/// A descriptor in the range that is about to be filled would be overwritten before it is used.
ATOLL_IN_CHILD void moveOut(Plan& plan, int& number) {
    if (number < 0 || number >= plan.descriptorCount) return;
    const long moved = ::syscall(SYS_fcntl, number, F_DUPFD_CLOEXEC, plan.descriptorCount);
    check(plan, moved, StartStep::descriptors);
    number = static_cast<int>(moved);
}

/// Moves the descriptors to 0, 1, 2, ….
ATOLL_IN_CHILD void placeDescriptors(Plan& plan) {
    int* numbers = plan.descriptors.data();
    moveOut(plan, plan.program);
    for (int i = 0; i < plan.descriptorCount; ++i) {
        if (numbers[i] != i) moveOut(plan, numbers[i]);
    }
    for (int i = 0; i < plan.descriptorCount; ++i) {
        const long placed = numbers[i] == i ? ::syscall(SYS_fcntl, i, F_SETFD, 0)
                                            : ::syscall(SYS_dup3, numbers[i], i, 0);
        check(plan, placed, StartStep::descriptors);
    }
}

/// No handler of ours may run here, so the dispositions go before the mask.
ATOLL_IN_CHILD void defaultSignals(Plan& plan) {
    const KernelAction byDefault;
    for (int signal = 1; signal <= kSignals; ++signal) {
        if (((plan.resetSignals >> static_cast<unsigned>(signal - 1)) & 1U) == 0) continue;
        if (signal == SIGKILL || signal == SIGSTOP) continue;
        check(plan, ::syscall(SYS_rt_sigaction, signal, &byDefault, nullptr, kSignalSetBytes),
              StartStep::signals);
    }
    const std::uint64_t none = 0;
    check(plan, ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, kSignalSetBytes),
          StartStep::signals);
}

/// ENOENT and EACCES do not say whether they mean the program or what its first line names.
ATOLL_IN_CHILD StartStep whatIsMissing(const Plan& plan, int code) {
    const bool ambiguous = code == ENOENT || code == EACCES || code == ENOTDIR || code == ELOOP;
    if (!ambiguous || plan.path == nullptr) return StartStep::program;
    if (::syscall(SYS_openat, AT_FDCWD, plan.path, O_PATH | O_DIRECTORY | O_CLOEXEC) >= 0)
        return StartStep::program;
    if (::syscall(SYS_faccessat, AT_FDCWD, plan.path, X_OK) != 0) return StartStep::program;
    return StartStep::interpreter;
}

ATOLL_IN_CHILD int inChild(void* argument) {
    Plan& plan = *static_cast<Plan*>(argument);
    check(plan, ::syscall(SYS_setpgid, 0, 0), StartStep::group);
    limitUse(plan);
    takeIdentity(plan);
    tieToParent(plan);
    if (plan.directory != nullptr)
        check(plan, ::syscall(SYS_chdir, plan.directory), StartStep::directory);
    placeDescriptors(plan);
    defaultSignals(plan);
    if (plan.program >= 0) {
        ::syscall(SYS_execveat, plan.program, "", plan.arguments, plan.environment, AT_EMPTY_PATH);
    } else {
        ::syscall(SYS_execve, plan.path, plan.arguments, plan.environment);
    }
    const int code = errno;
    give(plan, whatIsMissing(plan, code), code);
}

class LimitTable {
public:
    explicit LimitTable(Plan& plan) noexcept : plan_(plan) {}

    template<class Number>
    void set(int resource, const std::optional<Number>& value) noexcept {
        if (value && !isUnlimited(*value))
            set(resource, static_cast<rlim_t>(*value), static_cast<rlim_t>(*value));
    }
    void set(int resource, rlim_t soft, rlim_t hard) noexcept {
        plan_.limits[static_cast<std::size_t>(plan_.limitCount++)] = {resource, {soft, hard}};
    }

private:
    Plan& plan_;
};

void planLimits(Plan& plan, const Limits& limits) {
    LimitTable table(plan);
    if (limits.cpuTime && !isUnlimited(*limits.cpuTime)) {
        const auto seconds = static_cast<rlim_t>(limits.cpuTime->count());
        table.set(RLIMIT_CPU, seconds, seconds + 1);
    }
    table.set(RLIMIT_AS, limits.addressSpace);
    table.set(RLIMIT_DATA, limits.dataSize);
    table.set(RLIMIT_FSIZE, limits.fileSize);
    table.set(RLIMIT_NOFILE, limits.openFiles);
    table.set(RLIMIT_NPROC, limits.processes);
    table.set(RLIMIT_CORE, limits.coreSize);
    plan.changesNice = limits.nice.has_value();
    plan.nice = limits.nice.value_or(0);
}

void planIdentity(Plan& plan, const Identity* identity) {
    plan.changesIdentity = identity != nullptr;
    if (identity == nullptr) return;
    plan.user = identity->user;
    plan.group = identity->group;
    plan.groups = identity->groups.data();
    plan.groupCount = identity->groups.size();
}

std::uint64_t bitsOf(SignalSet set) {
    std::uint64_t bits = 0;
    for (int signal = 1; signal <= kSignals; ++signal)
        bits |= std::uint64_t{set.holds(signal)} << static_cast<unsigned>(signal - 1);
    return bits;
}

Plan planOf(const SpawnSpec& spec) {
    Plan plan;
    plan.path = spec.path;
    plan.program = spec.program;
    plan.arguments = spec.arguments.data();
    plan.environment = spec.environment.data();
    plan.directory = spec.directory;
    for (const int number : spec.descriptors)
        plan.descriptors[static_cast<std::size_t>(plan.descriptorCount++)] = number;
    planLimits(plan, spec.limits);
    planIdentity(plan, spec.identity);
    plan.resetSignals = bitsOf(spec.resetSignals);
    plan.parentDeathSignal = spec.parentDeathSignal;
    plan.parent = ::getpid();
    return plan;
}

bool endsInNull(std::span<const char* const> pointers) {
    return !pointers.empty() && pointers.back() == nullptr;
}

/// No handler of ours may run in the child, so it is born with all signals blocked: all of them,
/// also those that libc keeps for itself and does not let sigprocmask name.
class AllSignalsBlocked {
public:
    AllSignalsBlocked() noexcept {
        const std::uint64_t all = ~std::uint64_t{0};
        ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before_, kSignalSetBytes);
    }
    ~AllSignalsBlocked() {
        ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, kSignalSetBytes);
    }
    AllSignalsBlocked(const AllSignalsBlocked&) = delete;
    AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

private:
    std::uint64_t before_ = 0;
};

/// Returns when the child has executed its program or has ended.
pid_t cloneInto(Plan& plan) {
    const AllSignalsBlocked blocked;
    alignas(64) std::array<std::byte, kStackBytes> stack;
    return ATOLL_CLONE(inChild, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | SIGCHLD,
                       &plan);
}

} // namespace

SignalSet SignalSet::notDefault() noexcept {
    std::uint64_t bits = 0;
    for (int signal = 1; signal <= kSignals; ++signal) {
        KernelAction now;
        if (::syscall(SYS_rt_sigaction, signal, nullptr, &now, kSignalSetBytes) != 0) continue;
        bits |= std::uint64_t{now.words[0] != 0} << static_cast<unsigned>(signal - 1);
    }
    return SignalSet(bits);
}

StartResult<pid_t> spawn(const SpawnSpec& spec) {
    const bool complete = (spec.path != nullptr || spec.program >= 0) &&
                          spec.descriptors.size() <= kMaxDescriptors &&
                          endsInNull(spec.arguments) && endsInNull(spec.environment);
    if (!complete) return failStart(StartStep::request, EINVAL);
    Plan plan = planOf(spec);
    const pid_t child = cloneInto(plan);
    if (child < 0) return failStart(StartStep::clone, errno);
    if (plan.failure == 0) return child;
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return failStart(plan.failedStep, plan.failure);
}

} // namespace reef::process
