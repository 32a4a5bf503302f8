-- Prints wrk's totals on one line for load.py. It defines no request() and no response(), which wrk
-- would call for each request.
done = function(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        "totals requests=%d microseconds=%d bytes=%d p50=%d p99=%d " ..
        "connect=%d read=%d write=%d status=%d timeout=%d\n",
        summary.requests, summary.duration, summary.bytes,
        latency:percentile(50), latency:percentile(99),
        errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
