"""
Starts yt-dlp without importing yt-dlp again: imports it once, and forks for each run. `warm.ts` starts this program and sends a line of
JSON for each run; this program answers with the process of the run, and with its end. Linux only.

A child changes only its own memory, so each run is isolated from the next.
"""
import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import resource
import runpy
import select
import shutil
import signal
import socket
import sys
import tempfile
import threading
import traceback
import zipfile

IDLE_S = 600
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
libc = ctypes.CDLL(None)


def main():
    global reports
    script, folder = sys.argv[1:]
    # Nothing that the script prints while it is imported is a report.
    reports = os.dup(1)
    os.dup2(os.open('/dev/null', os.O_WRONLY), 1)
    # Python puts the folder of the program first, which is ours; of a zipapp, the zipapp.
    if sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
        sys.path[0] = script if zipfile.is_zipfile(script) else os.path.dirname(os.path.realpath(script))
    # With another name than __main__, the script imports yt-dlp and does not run it.
    runpy.run_path(script, run_name='warm')
    import_if_there('yt_dlp.extractor.extractors', 'yt_dlp.extractor.youtube', 'yt_dlp.extractor.generic')
    share_memory()
    tell(ready=True)
    if request := serve(folder):
        run_script(script, request)


def import_if_there(*names):
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:
            pass


def tell(**words):
    os.write(reports, json.dumps(words).encode() + b'\n')


def serve(folder):
    """Forks for each request. Returns the request in a child, and nothing in the parent, which then ends."""
    waking, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # The numbers of the runs by process.
    runs, begun, is_last, unread = {}, 0, False, b''
    steps, is_ahead = import_ahead(), False
    while runs or not is_last:
        ready = select.select([0, waking], [], [], 0 if is_ahead else None if runs else IDLE_S)[0]
        if waking in ready:
            os.read(waking, 4096)
            report_ended(runs)
        elif 0 in ready:
            text = os.read(0, 65536)
            if not text:
                break
            *lines, unread = (unread + text).split(b'\n')
            for request in map(json.loads, lines):
                if 'run' in request:
                    pid = begin(request)
                    if pid == 0:
                        return request
                    if pid:
                        runs[pid] = request['run']
                    tell(run=request['run'], pid=pid)
                    begun += 1
                is_last = is_last or 'last' in request
                is_ahead = is_ahead or 'ahead' in request or begun == 2
        elif is_ahead:
            is_ahead = next(steps, False)
        else:
            break
    for pid in runs:
        end_group(pid)
    shutil.rmtree(folder, ignore_errors=True)
    return None


def import_ahead():
    """
    What yt-dlp needs for most pages outside YouTube, in steps: the patterns of the addresses of all sites, and the code of all sites, which
    may be embedded in a page. A single run would not be worth it.
    """
    package = sys.modules.get('yt_dlp.extractor')
    if not package:
        return
    for site in package.gen_extractor_classes():
        site.suitable('warm:')
        yield True
    for _, name, _ in pkgutil.iter_modules(package.__path__):
        import_if_there(f'{package.__name__}.{name}')
        yield True
    share_memory()


def share_memory():
    """Leaves the objects of the parent out of later garbage collections, which would write to each page of memory, and so copy it."""
    gc.collect()
    gc.freeze()


def report_ended(runs):
    """Ends the group of each process that has ended before the process is collected: until then, no other group can have its number."""
    while runs and (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG)):
        end_group(ended.si_pid)
        os.waitpid(ended.si_pid, 0)
        # A plugin may have started a process while it was imported.
        if run := runs.pop(ended.si_pid, None):
            tell(run=run, exit=ended.si_status if ended.si_code == os.CLD_EXITED else signal_name(ended.si_status))


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f'signal {number}'


def end_group(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def begin(request):
    """Forks; returns the process id, or nothing where that is not possible, or 0 in the child."""
    streams = []
    try:
        for _ in ('output', 'errors'):
            streams.append(connected(request['path']))
        parent = os.getpid()
        pid = os.fork()
    except OSError:
        pid = None
    if pid == 0:
        try:
            settle(streams, parent)
        except BaseException:
            os._exit(127)
        return 0
    if pid:
        lead_group(pid)
    for stream in streams:
        os.close(stream)
    return pid


def lead_group(pid):
    """Called in the parent and in the child, because each of them must find the group."""
    try:
        os.setpgid(pid, pid)
    except (ProcessLookupError, PermissionError):
        pass


def settle(streams, parent):
    """Takes from the child what belongs to the parent, and connects its output."""
    lead_group(0)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # When the parent dies, its children end with all processes that they have started.
    signal.signal(signal.SIGTERM, lambda *_: end_group(os.getpid()))
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        end_group(os.getpid())
    libc.prctl(PR_SET_NAME, b'yt-dlp')
    for number, file in enumerate([os.open('/dev/null', os.O_RDONLY), *streams]):
        os.dup2(file, number)
    # Only up to the last one that is open: in a container, a process may have a billion.
    os.closerange(3, max(map(int, os.listdir('/proc/self/fd'))) + 1)


def connected(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stream:
        stream.connect(path)
        # An object would close its file number later, which may be another file by then.
        return stream.detach()


def run_script(script, request):
    """Runs the script as the command line would. What a script that starts Python has added to the environment stays."""
    os.environ.update(request['env'])
    os.chdir(request['cwd'])
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    data = request['memory_mb'] * 1024 * 1024
    data = data if most == resource.RLIM_INFINITY else min(data, most)
    resource.setrlimit(resource.RLIMIT_DATA, (data, data))
    tempfile.tempdir = None
    sys.argv = [script, *request['args']]
    code = 0
    try:
        runpy.run_path(script, run_name='__main__')
    except SystemExit as end:
        code = end.code
        if code is not None and not isinstance(code, int):
            print(code, file=sys.stderr)
            code = 1
    except BaseException:
        traceback.print_exc()
        code = 1
    leave(code or 0)


def leave(code):
    """Ends as Python does, except that it does not clean up each object, which would copy most of the memory of the parent."""
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.main_thread():
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 120
    os._exit(code & 0xFF)


if __name__ == '__main__':
    main()
