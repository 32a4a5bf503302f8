# Keeps a Python that has compiled a script and imported its modules, and forks a fresh process for each request
# (docs/warm-islands.md).
#
# `python3 -c 'exec(...)' SCRIPT` runs this from descriptor 4. `N` (system calls) and `ROOM` (bytes of the largest
# packet) are set by the line that the server puts before this text; what the packets hold is in
# process/zygote_protocol.h. Descriptor 3 is the socket. Modules written in C alone are used, for what is imported
# here is imported in the script's interpreter.

import _ctypes
import _signal
import _socket
import _struct
import gc
import io
import os
import resource
import select
import sys
import time
import types

CLOSE_ON_EXEC = 0o2000000
TERM, KILL = 15, 9
GRACE = 2.0  # for what is left of a process group


def call(name, *arguments):
    """A system call: its result, or -1."""
    return _ctypes.call_function(call.address, (N[name],) + arguments)


call.address = _ctypes.dlsym(_ctypes.dlopen(None, 2), "syscall")


def give_up(why):
    os.write(2, (why + "\n").encode())
    os._exit(1)


def version_of(name):
    try:
        status = os.stat(name)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns


def entries(directory):
    return [int(name) for name in os.listdir(directory) if name.isdigit()]


class Name:
    """What a forked process leaves behind is found by its environment, and that is the interpreter's, which the kernel
    shows as it was at the start: where ATOLL_RUN=----- stood, the process writes its own."""

    def __init__(self):
        try:
            with io.open("/proc/self/stat", "rb") as opened:
                numbers = opened.read().rpartition(b")")[2].split()
            with io.open("/proc/self/environ", "rb") as opened:
                environment = b"\0" + opened.read()
            at = environment.index(b"\0ATOLL_RUN=")
            self.at = int(numbers[47]) + at
            self.size = environment.index(b"\0", at + 1) - at - 1
            self.write(b"ATOLL_RUN=")
        except (OSError, ValueError) as error:
            self.size = 0
            os.write(2, ("its memory cannot be written (%s): daemons that its processes leave behind will not be "
                         "found\n" % error).encode())

    def write(self, name):
        if len(name) > self.size:
            return
        memory = os.open("/proc/self/mem", os.O_WRONLY)
        try:
            os.pwrite(memory, name.ljust(self.size, b"\0"), self.at)
        finally:
            os.close(memory)

    def take(self, entries):
        for entry in entries:
            if entry.startswith(b"ATOLL_RUN="):
                self.write(entry)


class Script:
    """What is done once: the script compiled, its modules imported."""

    def __init__(self, file):
        self.file = file
        self.began = time.clock_gettime_ns(5)  # CLOCK_REALTIME_COARSE, which files are stamped by
        os.environb.pop(b"ATOLL_RUN", None)  # the room for it in memory stays
        self.before = dict(os.environb)  # what modules find; what they make of it is done to each request's too
        with io.open(file, "rb") as opened:
            text = opened.read()
        self.code = compile(text, file, "exec", 0, True)
        sys.argv = [file]
        if not sys.flags.isolated and not getattr(sys.flags, "safe_path", False):
            sys.path[0] = os.path.dirname(os.path.realpath(file))
        self.main = self.new_main()
        sys.modules["__main__"] = self.main
        self.import_modules(compile(text, file, "exec", 0x400, True).body)
        self.loaded = self.files()
        self.looked_at = int(time.time())
        self.readers = self.open_for_reading()
        self.set = {k: v for k, v in os.environb.items() if self.before.get(k) != v}
        self.unset = [k for k in self.before if k not in os.environb]
        self.coerced = {k: v for k, v in self.before.items() if k == b"LC_CTYPE"}

    def new_main(self):
        from importlib.machinery import SourceFileLoader
        main = types.ModuleType("__main__")
        main.__dict__.update(__loader__=SourceFileLoader("__main__", self.file), __builtins__=sys.modules["builtins"],
                             __file__=self.file, __cached__=None, __annotations__={})
        return main

    def import_modules(self, statements, ours=True):
        """The imports that the script begins with. Behind the first statement that is none, which may have changed
        where modules are found, only those of the standard library. What fails here fails in the script as well,
        which may be ready for it."""
        for statement in statements:
            kind = type(statement).__name__
            if kind == "Import":
                self.load([(alias.name, ()) for alias in statement.names], ours)
            elif kind == "ImportFrom" and statement.level == 0:
                self.load([(statement.module, [alias.name for alias in statement.names])], ours)
            elif kind == "Try":
                self.import_modules(statement.body, ours)
            elif not self.is_harmless(statement):
                ours = False

    @staticmethod
    def is_harmless(statement):
        kind = type(statement).__name__
        return kind in ("FunctionDef", "Pass") or (
            kind in ("Expr", "Assign") and type(statement.value).__name__ == "Constant")

    @staticmethod
    def load(modules, ours):
        for name, members in modules:
            if not ours and name.partition(".")[0] not in getattr(sys, "stdlib_module_names", ()):
                continue
            try:
                __import__(name, {"__name__": "__main__"}, {}, list(members), 0)
            except Exception:
                pass

    def files(self):
        versions = {}
        for module in list(sys.modules.values()):
            name = getattr(module, "__file__", None)
            if not isinstance(name, str) or name == self.file:
                continue
            version = version_of(name)
            versions[name] = "changed" if version and version[2] > self.began else version
        return versions

    def is_stale(self):
        now = int(time.time())
        if now == self.looked_at:
            return False
        self.looked_at = now
        return any(version_of(name) != version for name, version in self.loaded.items())

    @staticmethod
    def open_for_reading():
        """Files whose offset a forked child would share with the others."""
        readers = []
        for number in entries("/proc/self/fd"):
            try:
                flags = os.get_inheritable(number)
                if number < 4 or os.fstat(number).st_mode & 0o170000 != 0o100000:
                    continue
                with io.open("/proc/self/fdinfo/%d" % number) as info:
                    access = [line for line in info if line.startswith("flags:")]
                if int(access[0].split()[1], 8) & 3 == 0:
                    readers.append((number, flags, os.lseek(number, 0, 1)))
            except OSError:
                continue
        return readers

    def reopen(self):
        for number, inheritable, offset in self.readers:
            try:
                own = os.open("/proc/self/fd/%d" % number, os.O_RDONLY)
            except OSError:
                continue
            os.lseek(own, offset, 0)
            os.dup2(own, number, inheritable)
            os.close(own)

    def run(self):
        """As `python3 SCRIPT` does it, with a traceback that begins in the script: the exit status."""
        main = sys.modules["__main__"] = self.new_main()  # which the collector sees, as what is frozen it does not
        self.main = None
        try:
            exec(self.code, main.__dict__)
        except SystemExit as end:
            if end.code is None:
                return 0
            if type(end.code) is int and -128 <= end.code <= 255:
                return end.code
            raise
        except BaseException as error:
            kind, trace = type(error), error.__traceback__.tb_next
            sys.last_type, sys.last_value, sys.last_traceback = kind, error.with_traceback(trace), trace
            sys.excepthook(kind, error, trace)
            return 1
        return 0


class Ending:
    """The end of a process without the taking apart of an interpreter, which takes longer than most scripts. It does
    what would be seen of that, and leaves it to Python where it cannot."""

    def __init__(self):
        self.modules = set(sys.modules)
        try:
            self.possible = not self.has_own_end(self.modules) and not self.finalizers()
        except Exception:  # an object that does not say what it is
            self.possible = False

    @staticmethod
    def has_own_end(names):
        """Whether one of the modules is in C, and not Python's own: it may have something to do at the end."""
        for name in names:
            file = getattr(sys.modules.get(name), "__file__", None)
            if isinstance(file, str) and file.endswith(".so") and "/lib-dynload/" not in file:
                return True
        return False

    @staticmethod
    def finalizers():
        """Objects that would do something when they go; files are flushed."""
        found = []
        for item in gc.get_objects():
            kind = type(item)
            if not hasattr(kind, "__del__"):
                continue
            if not issubclass(kind, io.IOBase.__mro__[1]):
                found.append(item)
            elif not item.closed and item.writable():
                item.flush()
        return found

    def end(self, status):
        if not self.possible or self.has_own_end(set(sys.modules) - self.modules):
            return
        threads = sys.modules.get("threading")
        if threads is not None:
            threads._shutdown()
        import atexit
        atexit._run_exitfuncs()
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            sys.last_type = sys.last_value = sys.last_traceback = None
            sys.modules.pop("__main__", None)  # with all that it alone holds
            gc.collect()
            if self.finalizers():
                return
        except Exception:
            return  # Python meets it again, and says so
        os._exit(status)


class Zygote:
    """Serves; `serve` returns in a forked child alone."""

    def __init__(self, script):
        self.script = script
        self.pid = os.getpid()
        self.children = {}  # id of the request by process
        self.processes = {}  # the other way round
        self.kill_at = {}  # process groups that were told to end
        self.answers = b""
        self.leaving = False
        self.standard = [(sys.stdin, "<stdin>", "r"), (sys.stdout, "<stdout>", "w"), (sys.stderr, "<stderr>", "w")]
        if sys.stdout is not None:
            sys.stdout.flush()
        if os.lseek(1, 0, 1) > 0:
            give_up("its modules write to standard output")
        if len(entries("/proc/self/task")) != 1:
            give_up("its modules have started threads")
        os.set_inheritable(3, False)
        self.socket = _socket.socket(fileno=3)
        self.socket.setblocking(True)
        _signal.pthread_sigmask(_signal.SIG_BLOCK, {_signal.SIGCHLD, _signal.SIGTERM})
        mask = _struct.pack("=Q", 1 << 16 | 1 << 14)
        self.signals = call("signalfd4", -1, mask, 8, CLOSE_ON_EXEC | os.O_NONBLOCK)
        if self.signals < 0:
            give_up("there is no signalfd")
        call("prctl", 36, 1, 0, 0, 0)  # what children leave behind is ours to end
        self.name = Name()
        self.answers += b"\0"

    def serve(self):
        both = select.poll()
        both.register(self.signals, select.POLLIN)
        both.register(3, select.POLLIN)
        while True:
            self.flush()
            if self.leaving and not self.children and not self.kill_at:
                os._exit(0)
            wait = None
            if self.kill_at:
                wait = max(0, int((min(self.kill_at.values()) - time.monotonic()) * 1000) + 1)
            ready = [number for number, _ in both.poll(wait)]
            if self.signals in ready:
                self.take_signals()
            self.expire()
            if 3 in ready and self.receive():
                return
            if self.leaving and 3 in ready:
                both.unregister(3)

    def flush(self):
        if not self.answers:
            return
        answers, self.answers = self.answers, b""
        try:
            self.socket.send(answers, 0x4000)
        except OSError:
            self.leave()

    def take_signals(self):
        try:
            while True:
                signal = os.read(self.signals, 128)
                if _struct.unpack_from("=L", signal)[0] == TERM:
                    self.leave()
        except BlockingIOError:
            pass
        self.reap()

    def reap(self):
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            number = self.children.pop(pid, None)
            if number is None:
                continue
            del self.processes[number]
            self.answers += _struct.pack("=BLlqqQ", 3, number, status, int(usage.ru_utime * 1000000),
                                         int(usage.ru_stime * 1000000), usage.ru_maxrss * 1024)
            if self.is_peopled(pid):
                self.end(pid, GRACE)
            else:
                self.kill_at.pop(pid, None)

    @staticmethod
    def is_peopled(group):
        """Whether children of ours are left in a process group; then its number is no stranger's."""
        try:
            os.waitid(os.P_PGID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return False
        return True

    def kill(self, group, signal):
        reached = self.tell(os.killpg, group, signal)
        if group in self.children and (not reached or signal == KILL):
            self.tell(os.kill, group, signal)  # it may have left its group

    @staticmethod
    def tell(call, number, signal):
        try:
            call(number, signal)
        except OSError:
            return False
        return True

    def end(self, group, grace):
        if grace == 0:
            self.kill_at.pop(group, None)
            return self.kill(group, KILL)
        if group not in self.kill_at:
            self.kill(group, TERM)
        when = time.monotonic() + grace
        self.kill_at[group] = min(when, self.kill_at.get(group, when))

    def expire(self):
        if not self.kill_at:
            return
        now = time.monotonic()
        for group in [group for group, when in self.kill_at.items() if when <= now]:
            del self.kill_at[group]
            if group in self.children or self.is_peopled(group):
                self.kill(group, KILL)

    def leave(self):
        if self.leaving:
            return
        self.leaving = True
        for pid in self.children:
            self.end(pid, GRACE)

    def receive(self):
        """Whether this is the child."""
        try:
            packet, control, _, _ = self.socket.recvmsg(ROOM, 64, 0x40000040)
        except OSError:
            return False
        if not packet:
            self.leave()
            return False
        descriptors = []
        for _, _, numbers in control:
            descriptors += _struct.unpack("=%dl" % (len(numbers) // 4), numbers)
        if packet[0] == 0:
            return self.run(packet, descriptors)
        if packet[0] == 1:
            number, grace = _struct.unpack_from("=LL", packet, 1)
            if number in self.processes:
                self.end(self.processes[number], grace / 1000)
        return False

    def run(self, packet, descriptors):
        number, standard, cpu, _, size = _struct.unpack_from("=LBqLL", packet, 1)
        arguments = packet[22:22 + size].split(b"\0")[:-1]
        environment = packet[30 + size:].split(b"\0")[:-1]
        pid = -1
        if self.script.is_stale():
            self.answers += _struct.pack("=BLl", 2, number, 116)
        else:
            try:
                pid = os.fork()
            except OSError as error:
                self.answers += _struct.pack("=BLl", 2, number, error.errno)
        if pid == 0:
            self.become(standard, cpu, arguments, environment, descriptors)
            return True
        if pid > 0:
            try:
                os.setpgid(pid, pid)
            except OSError:
                pass
            self.children[pid] = number
            self.processes[number] = pid
            self.answers += _struct.pack("=BLl", 1, number, pid)
        for descriptor in descriptors:
            os.close(descriptor)
        return False

    def become(self, standard, cpu, arguments, environment, descriptors):
        call("prctl", 1, KILL, 0, 0, 0)  # ends with the zygote
        if os.getppid() != self.pid:
            os._exit(1)
        os.setpgid(0, 0)
        self.socket.close()
        os.close(self.signals)
        given = [os.dup(d) if d < 3 else d for d in descriptors]
        for number in range(3):
            if standard >> number & 1:
                descriptor = given.pop(0)
                os.dup2(descriptor, number)
                os.close(descriptor)
        self.script.reopen()
        if cpu >= 0:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())
        self.name.take(environment)
        sys.argv = [self.script.file] + [os.fsdecode(argument) for argument in arguments]
        sys.orig_argv = [sys.executable] + sys.argv
        self.set_environment(environment)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            self.open_standard(number, name)

    def set_environment(self, entries):
        environ = os.environb
        for name in list(environ):
            del environ[name]
        for name, value in self.script.coerced.items():
            environ[name] = value
        for entry in entries:
            name, _, value = entry.partition(b"=")
            environ[name] = value
        for name, value in self.script.set.items():
            environ[name] = value
        for name in self.script.unset:
            environ.pop(name, None)

    def open_standard(self, number, name):
        """A text stream as Python makes it at its start, unless a module has put another in its place."""
        before, label, mode = self.standard[number]
        if before is None or getattr(sys, name) is not before:
            return
        unbuffered = before.write_through  # python3 -u
        binary = io.open(number, mode + "b", 0 if unbuffered else -1, closefd=False)
        (binary if unbuffered else binary.raw).name = label
        text = io.TextIOWrapper(binary, before.encoding, before.errors, "\n",
                                line_buffering=before.line_buffering, write_through=unbuffered)
        text.mode = mode
        setattr(sys, name, text)
        setattr(sys, "__%s__" % name, text)


def main():
    script = Script(sys.argv[1])
    zygote = Zygote(script)
    gc.collect()
    ending = Ending()
    gc.freeze()
    zygote.serve()
    status = script.run()
    ending.end(status)
    sys.exit(status)


main()
