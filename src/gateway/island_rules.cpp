#include "gateway/island_rules.h"

namespace reef::gateway {

namespace {

template<class Value>
void put(std::optional<Value>& target, const std::optional<Value>& value) {
    if (value) target = value;
}

} // namespace

void IslandRules::override(const IslandRules& other) {
    put(timeout, other.timeout);
    put(idleTimeout, other.idleTimeout);
    put(user, other.user);
    if (other.user) identity = other.identity;
    put(limits.cpuTime, other.limits.cpuTime);
    put(limits.addressSpace, other.limits.addressSpace);
    put(limits.dataSize, other.limits.dataSize);
    put(limits.fileSize, other.limits.fileSize);
    put(limits.openFiles, other.limits.openFiles);
    put(limits.processes, other.limits.processes);
    put(limits.coreSize, other.limits.coreSize);
    put(limits.nice, other.limits.nice);
}

} // namespace reef::gateway
