# Keeps a perl that has compiled a script, and forks a fresh process for each request (docs/warm-islands.md).
#
# `perl -M'5.006;BEGIN{require q(/proc/self/fd/4)}' SCRIPT` reads this before the script, which stays perl's main
# program. The INIT block below serves; in a forked child it returns, and perl goes on with the script.
#
# It is the script's own interpreter, so this loads no module, not even strict, defines no name, and speaks to the
# kernel through `syscall`. `%n` (system calls) and `$room` (bytes of the largest packet) are set by the line that the
# server puts before this text; what the packets hold is in process/zygote_protocol.h. Descriptor 3 is the socket.

delete $ENV{ATOLL_RUN};  # the room for it in memory stays
my %before = %ENV;       # what BEGIN blocks find; what they make of it is done to each request's too
my $zygote = $$;
my $signals;             # a signalfd
my $room_control = 64;
my $packet = "\0" x $room;
my $control = "\0" x $room_control;
my $piece = pack 'P Q', $packet, $room;
my $answers = '';        # of this turn
my (%id_of, %pid_of);    # children: id of the request by process, and the other way round
my %kill_at;             # process groups that were told to end: milliseconds
my $leaving = 0;
my $looked_at = 0;       # second at which the files were looked at
my (%loaded, @readers, %set, @unset);
my ($room_at, $room_size) = (0, 0); # where in memory /proc/PID/environ shows what names a run
my $nothing_to_destroy = 0; # number of modules, when perl's own end would do nothing but flush

my $milliseconds = sub {
    my $time = "\0" x 16;
    syscall $n{clock_gettime}, 1, $time;
    my ($seconds, $nanoseconds) = unpack 'q2', $time;
    $seconds * 1000 + int($nanoseconds / 1_000_000);
};

# Inode, size, time of the last change of state and of content: of an open file, or of a name.
my $state_of = sub {
    my ($descriptor, $name) = @_;
    my $status = "\0" x 256;
    return '' if syscall($n{statx}, $descriptor, $name, $name eq '' ? 0x1000 : 0, 0x7ff, $status) < 0;
    $status;
};
my $version_of = sub {
    my $status = $state_of->(-100, $_[0]);
    $status eq '' ? '' : substr($status, 32, 16) . substr($status, 96, 32);
};

my $began = "\0" x 16;
syscall $n{clock_gettime}, 5, $began; # the clock that files are stamped by
syscall $n{close}, 4;

my $give_up = sub {
    my $why = "$_[0]\n";
    syscall $n{write}, 2, $why, length $why;
    syscall $n{exit_group}, 1;
};

my $entries = sub {
    opendir my $directory, $_[0] or return;
    map { /^(\d+)$/ ? $1 : () } readdir $directory;
};

my $content_of = sub {
    my ($name) = @_;
    my $file = syscall $n{openat}, -100, $name, 02000000, 0;
    return '' if $file < 0;
    my ($content, $chunk) = ('', "\0" x 4096);
    while ((my $size = syscall $n{read}, $file, $chunk, 4096) > 0) { $content .= substr $chunk, 0, $size }
    syscall $n{close}, $file;
    $content;
};

# What a forked process leaves behind is found by its environment, and that is the interpreter's, which the kernel
# shows as it was at the start: where ATOLL_RUN=----- stood, the process writes its own.
my $name_run = sub {
    my $name = $_[0] =~ /(?:^|\0)(ATOLL_RUN=[^\0]*)/ ? $1 : return;
    return if length $name > $room_size;
    $name .= "\0" x ($room_size - length $name);
    my $own = '/proc/self/mem'; # a constant is nothing for `syscall`
    my $memory = syscall $n{openat}, -100, $own, 02000001, 0;
    my $written = syscall $n{pwrite64}, $memory, $name, $room_size, $room_at;
    syscall $n{close}, $memory;
    $written == $room_size;
};
my $find_room = sub {
    my $status = $content_of->('/proc/self/stat');
    my @numbers = split ' ', substr $status, 2 + rindex $status, ')';
    my $environment = "\0" . $content_of->('/proc/self/environ');
    my $at = index $environment, "\0ATOLL_RUN=";
    if ($at >= 0 && @numbers > 47) {
        ($room_at, $room_size) = ($numbers[47] + $at, index($environment, "\0", $at + 1) - $at - 1);
        return if $name_run->('ATOLL_RUN=');
    }
    $room_size = 0;
    my $why = "its memory cannot be written ($!): daemons that its processes leave behind will not be found\n";
    syscall $n{write}, 2, $why, length $why;
};

# What has been read of the files of modules, so that a change of one is seen.
my $note_files = sub {
    my ($began_seconds, $began_nanoseconds) = unpack 'q2', $began;
    for my $file (values %INC) {
        next if !defined $file || ref $file || $file !~ m{^(.+)$}s;
        my $version = $version_of->($1);
        my ($seconds, $nanoseconds) = unpack 'x16 q L', $version;
        my $changed_meanwhile = $version eq '' || $seconds > $began_seconds ||
            ($seconds == $began_seconds && $nanoseconds > $began_nanoseconds);
        $loaded{$1} = $changed_meanwhile ? 'changed' : $version;
    }
    $looked_at = time;
};

my $is_stale = sub {
    my $now = time;
    return 0 if $now == $looked_at;
    $looked_at = $now;
    $version_of->($_) eq $loaded{$_} or return 1 for keys %loaded;
    0;
};

# Files that are open for reading (DATA is one): a forked child would share their offset with the others.
my $note_readers = sub {
    for my $descriptor ($entries->('/proc/self/fd')) {
        next if $descriptor < 4 || $descriptor == $signals;
        my $number = $descriptor + 0;
        my $flags = syscall $n{fcntl}, $number, 3, 0;
        next if $flags < 0 || $flags & 3;
        my $mode = unpack 'x28 S', $state_of->($number, '') || next;
        next if ($mode & 0170000) != 0100000;
        my $close_on_exec = syscall $n{fcntl}, $number, 1, 0;
        push @readers, [$number, "/proc/self/fd/$number", $close_on_exec ? 02000000 : 0];
    }
};

# Half of a short run would be perl's look for objects whose DESTROY is to be called when all ends. Whether there can
# be none: no package has such a sub, and no module in C that may have an end of its own is loaded.
my %has_empty_destroy = map { $_ => 1 } qw(Regexp:: IO::Handle:: SelectSaver:: Encode::Encoding::);
my $has_destroy;
$has_destroy = sub {
    my ($stash, $package) = @_;
    for my $name (keys %$stash) {
        if ($name eq 'DESTROY') {
            return 1 if !$has_empty_destroy{$package};
        } elsif ($name =~ /::\z/ && $name ne 'main::' && ref \$stash->{$name} eq 'GLOB') {
            my $inner = *{$stash->{$name}}{HASH};
            return 1 if $inner && $inner != $stash && $has_destroy->($inner, $package . $name);
        }
    }
    0;
};
my %has_no_end = map { $_ => 1 } qw(re List::Util POSIX Fcntl Cwd Socket Encode Time::HiRes MIME::Base64 Digest::MD5
    Digest::SHA Storable Data::Dumper IO File::Glob Sys::Hostname mro attributes);
my $can_end_quickly = sub {
    return 0 if ${^TAINT} || grep { !$has_no_end{$_} } @DynaLoader::dl_modules;
    !$has_destroy->(\%main::, '');
};

my $get_ready = sub {
    delete $INC{'/proc/self/fd/4'};
    my $selected = select STDOUT;
    { local $| = 1; }
    select $selected;
    $give_up->('it writes to standard output while it is compiled') if syscall($n{lseek}, 1, 0, 1) > 0;
    my @tasks = $entries->('/proc/self/task');
    $give_up->('its modules have started threads') if @tasks != 1;
    my $flags = syscall $n{fcntl}, 3, 3, 0;
    syscall $n{fcntl}, 3, 4, $flags & ~04000; # waits when it writes
    syscall $n{fcntl}, 3, 2, 1;
    my $mask = pack 'Q', 1 << 16 | 1 << 14; # CHLD, TERM
    syscall $n{rt_sigprocmask}, 0, $mask, 0, 8;
    $signals = syscall $n{signalfd4}, -1, $mask, 8, 02000000 | 04000;
    $give_up->("signalfd: $!") if $signals < 0;
    syscall $n{prctl}, 36, 1, 0, 0, 0; # what children leave behind is ours to end
    $find_room->();
    $note_files->();
    $note_readers->();
    exists $before{$_} && $before{$_} eq $ENV{$_} or $set{$_} = $ENV{$_} for keys %ENV;
    exists $ENV{$_} or push @unset, $_ for keys %before;
    $nothing_to_destroy = keys %INC if $can_end_quickly->();
    $answers .= pack 'C', 0;
};

my $flush = sub {
    return if $answers eq '';
    my $sent = syscall $n{sendto}, 3, $answers, length $answers, 0x4000, 0, 0;
    $answers = '';
    $sent >= 0;
};

# Whether children of ours are left in a process group; then its number is no stranger's.
my $is_peopled = sub { syscall($n{waitid}, 2, $_[0] + 0, 0, 0x01000005, 0) == 0 }; # + 0: keys are strings

# The process itself may have left its group.
my $signal = sub {
    my ($group, $number) = @_;
    my $sent = syscall $n{kill}, -$group, $number;
    syscall $n{kill}, $group + 0, $number if exists $id_of{$group} && ($sent < 0 || $number == 9);
};

my $end = sub {
    my ($group, $grace) = @_;
    if ($grace == 0) {
        delete $kill_at{$group};
        $signal->($group, 9);
        return;
    }
    my $when = $milliseconds->() + $grace;
    $signal->($group, 15) if !exists $kill_at{$group};
    $kill_at{$group} = $when if !exists $kill_at{$group} || $kill_at{$group} > $when;
};

my $expire = sub {
    my $now = $milliseconds->();
    for my $group (grep { $kill_at{$_} <= $now } keys %kill_at) {
        delete $kill_at{$group};
        $signal->($group, 9) if exists $id_of{$group} || $is_peopled->($group);
    }
};

my $reap = sub {
    my $status = "\0" x 4;
    my $usage = "\0" x 144;
    while ((my $pid = syscall $n{wait4}, -1, $status, 1, $usage) > 0) {
        my $id = delete $id_of{$pid};
        next if !defined $id;
        delete $pid_of{$id};
        my ($user, $user_micro, $system, $system_micro, $kilobytes) = unpack 'q5', $usage;
        $answers .= pack 'C L l q q Q', 3, $id, unpack('l', $status), $user * 1_000_000 + $user_micro,
            $system * 1_000_000 + $system_micro, $kilobytes * 1024;
        if ($is_peopled->($pid)) { $end->($pid, 2000) } else { delete $kill_at{$pid} }
    }
};

my $leave = sub {
    return if $leaving++;
    $end->($_, 2000) for keys %id_of;
};

# Returns in the child alone.
my $become = sub {
    my ($standard, $cpu, $arguments, $environment, @descriptors) = @_;
    syscall $n{prctl}, 1, 9, 0, 0, 0; # ends with the zygote
    syscall $n{exit_group}, 1 if getppid != $zygote;
    setpgrp 0, 0;
    $_ < 3 and $_ = syscall $n{fcntl}, $_, 1030, 10 for @descriptors;
    for my $number (grep { $standard >> $_ & 1 } 0 .. 2) {
        my $given = shift @descriptors;
        syscall $n{dup3}, $given, $number, 0;
        syscall $n{close}, $given;
    }
    for my $reader (@readers) {
        my ($number, $name, $close_on_exec) = @$reader;
        my $offset = syscall $n{lseek}, $number, 0, 1; # fork has put it where reading has come to
        my $own = syscall $n{openat}, -100, $name, 02000000, 0;
        next if $own < 0;
        syscall $n{lseek}, $own, $offset, 0;
        syscall $n{dup3}, $own, $number, $close_on_exec;
        syscall $n{close}, $own;
    }
    syscall $n{close}, 3;
    syscall $n{close}, $signals;
    $name_run->($environment);
    if ($cpu >= 0) {
        my $limit = pack 'Q2', $cpu, $cpu + 1;
        syscall $n{prlimit64}, 0, 0, $limit, 0;
    }
    my $none = pack 'Q', 0;
    syscall $n{rt_sigprocmask}, 2, $none, 0, 8;
    my $taint = ${^TAINT} ? substr "$0$^X", 0, 0 : '';
    @ARGV = map { $_ . $taint } split /\0/, $arguments, -1;
    pop @ARGV;
    %ENV = ();
    for my $entry (split /\0/, $environment) {
        my ($name, $value) = split /=/, $entry, 2;
        $ENV{$name} = $value . $taint;
    }
    $ENV{$_} = $set{$_} for keys %set;
    delete @ENV{@unset};
    srand;
    $^T = time;
};

# Whether this is the child.
my $run = sub {
    my ($bytes, @descriptors) = @_;
    my ($id, $standard, $cpu, $count, $size) = unpack 'x L C q L L', $bytes;
    my $arguments = substr $bytes, 22, $size;
    my $environment = substr $bytes, 30 + $size;
    my $pid;
    if ($is_stale->()) {
        $answers .= pack 'C L l', 2, $id, 116;
    } elsif (!defined($pid = fork)) {
        $answers .= pack 'C L l', 2, $id, $! + 0;
    } elsif ($pid == 0) {
        $become->($standard, $cpu, $arguments, $environment, @descriptors);
        return 1;
    } else {
        setpgrp $pid, $pid;
        $id_of{$pid} = $id;
        $pid_of{$id} = $pid;
        $answers .= pack 'C L l', 1, $id, $pid;
    }
    syscall $n{close}, $_ for @descriptors;
    0;
};

# Whether this is the child.
my $receive = sub {
    my $message = pack 'Q L x4 P Q P Q l x4', 0, 0, $piece, 1, $control, $room_control, 0;
    my $size = syscall $n{recvmsg}, 3, $message, 0x40000040;
    return 0 if $size < 0;
    if ($size == 0) { $leave->(); return 0 }
    my $bytes = substr $packet, 0, $size;
    my @descriptors = unpack('x40 Q', $message) ? unpack('x16 l*', substr $control, 0, unpack 'Q', $control) : ();
    my $kind = ord $bytes;
    return $run->($bytes, @descriptors) if $kind == 0;
    if ($kind == 1) {
        my ($id, $grace) = unpack 'x L L', $bytes;
        $end->($pid_of{$id}, $grace) if exists $pid_of{$id};
    }
    0;
};

# Returns in a child alone.
my $serve = sub {
    for (;;) {
        $flush->();
        syscall $n{exit_group}, 0 if $leaving && !%id_of && !%kill_at;
        my $wait = 0;
        if (%kill_at) {
            my ($first) = sort { $a <=> $b } values %kill_at;
            my $left = $first - $milliseconds->();
            $left = 0 if $left < 0;
            $wait = pack 'q2', int($left / 1000), $left % 1000 * 1_000_000;
        }
        my $watched = pack 'l s S l s S', $signals, 1, 0, $leaving ? -1 : 3, 1, 0;
        my $ready = syscall $n{ppoll}, $watched, 2, $wait, 0, 8;
        my ($told, $asked) = $ready > 0 ? unpack 'x6 S x6 S', $watched : (0, 0);
        if ($told) {
            my $taken = "\0" x 128;
            while (syscall($n{read}, $signals, $taken, 128) == 128) {
                $leave->() if unpack('L', $taken) == 15;
            }
            $reap->();
        }
        $expire->() if %kill_at;
        return if $asked && $receive->();
    }
};

# The first END block that is defined is the last to run. Where the script has started a process, perl may have to
# wait for it (`open ... '|-'`). The block also holds what perl would free after INIT, which writes to many pages.
END {
    my @kept = \($serve, $get_ready);
    if ($$ != $zygote && $nothing_to_destroy == keys %INC && syscall($n{waitid}, 0, 0, 0, 0x01000005, 0) < 0) {
        my $status = $?;
        local $^W = 0;
        { exec {''} '' } # fails, when all that is buffered has been written
        syscall $n{exit_group}, $status;
    }
}

INIT {
    local $^W = 0;
    $get_ready->();
    $serve->();
    $! = 0;
    $? = 0;
}

1;
