#!/usr/bin/env python3
"""Runs a program on a terminal in an emulator, and prints what a person finds there at the end.

    emulate.py COLUMNS RESIZES REFLOW PROGRAM [ARGUMENT...]

The window has so many columns at first and is resized so often while the program runs. With REFLOW 1, the terminal
breaks its lines anew when it is resized, as VTE does; with 0, as xterm does, it leaves them. The first line that is
printed says how it ended; what follows is everything in the history and on the screen,
a line for each row. Needs pyte: without it the exit code is 77. EMULATE_KEY is a key that is pressed once the program
shows something, EMULATE_INTERRUPTS says how often Ctrl-C is, after that key.
"""
import errno
import fcntl
import os
import pty
import random
import select
import signal
import struct
import sys
import termios
import time

try:
    import pyte
    import pyte.modes
except ImportError:
    sys.exit(77)


class Window(pyte.Screen):
    """pyte's screen with a history, whose resizing is that of a real terminal.

    pyte's own cuts rows off at the top and on the right, and leaves the cursor where it was.
    """

    def __init__(self, columns, lines, reflows):
        self.past = []
        self.reflows = reflows
        self.wrapped = set()  # rows that go on in the next one; negative ones are in the past
        super().__init__(columns, lines)

    def row(self, y):
        line = self.buffer[y]
        last = max(line.keys(), default=-1)
        text = "".join(line[x].data for x in range(last + 1))
        # A row that goes on in the next one may end between two words.
        return text if y in self.wrapped else text.rstrip()

    def keep_top_row(self):
        # A row that goes on in the next one is joined in the text of the past.
        self.past.append((self.row(0), 0 in self.wrapped))
        self.wrapped = {y - 1 for y in self.wrapped if y > 0}

    def index(self):
        if self.cursor.y == self.lines - 1:
            self.keep_top_row()
        super().index()

    def draw(self, data):
        for character in data:
            before = (self.cursor.x, self.cursor.y, len(self.past))
            super().draw(character)
            wraps = before[0] == self.columns and pyte.modes.DECAWM in self.mode
            if wraps and self.cursor.x > 0:
                self.wrapped.add(self.cursor.y - 1)

    def erase_in_line(self, how=0, private=False):
        super().erase_in_line(how, private)
        if how == 0:
            line = self.buffer[self.cursor.y]
            for x in [x for x in line if x >= self.columns]:
                del line[x]

    def erase_in_display(self, how=0, *rest, **options):
        super().erase_in_display(how, *rest, **options)
        if how == 0:
            # pyte leaves blanks, also right of the window.
            for y in range(self.cursor.y + 1, self.lines):
                self.buffer[y].clear()
            self.wrapped = {y for y in self.wrapped if y < self.cursor.y}

    def resize_window(self, columns, lines):
        if self.reflows and columns != self.columns:
            self.reflow(columns)
        while self.cursor.y >= lines:
            self.keep_top_row()
            for y in range(self.lines - 1):
                self.buffer[y] = self.buffer.get(y + 1, type(self.buffer[0])(self.default_char))
            self.buffer.pop(self.lines - 1, None)
            self.cursor.y -= 1
        for y in [y for y in self.buffer if y >= lines]:
            del self.buffer[y]
        self.wrapped = {y for y in self.wrapped if y < lines}
        # Whatever is right of the window stays, as in xterm.
        self.lines, self.columns = lines, columns
        self.cursor.x = min(self.cursor.x, columns - 1)
        self.margins = None

    def reflow(self, columns):
        """Breaks all lines anew; the cursor stays on its character."""
        logical, current, place = [], [], None
        for y in range(self.lines):
            line = self.buffer[y]
            last = max(line.keys(), default=-1)
            if y == self.cursor.y:
                place = (len(logical), len(current) + self.cursor.x)
            cells = [line[x] for x in range(last + 1)]
            current += cells
            if y not in self.wrapped:
                while current and current[-1].data == " ":
                    current.pop()
                logical.append(current)
                current = []
        if current:
            logical.append(current)
        rows, wrapped, cursor = [], set(), (0, 0)
        for number, cells in enumerate(logical):
            pieces = [cells[i : i + columns] for i in range(0, len(cells), columns)] or [[]]
            if place and place[0] == number:
                row = min(place[1] // columns, len(pieces) - 1)
                cursor = (len(rows) + row, place[1] % columns)
            for index, piece in enumerate(pieces):
                if index + 1 < len(pieces):
                    wrapped.add(len(rows))
                rows.append(piece)
        # Empty rows below the cursor are no content.
        while len(rows) > cursor[0] + 1 and not rows[-1]:
            rows.pop()
        # The window shows the last rows that reach to the cursor at least.
        first = max(0, min(len(rows) - self.lines, cursor[0]))
        for y in range(first):
            text = "".join(cell.data for cell in rows[y])
            self.past.append((text if y in wrapped else text.rstrip(), y in wrapped))
        make = lambda: type(self.buffer[0])(self.default_char)
        self.buffer.clear()
        for y, cells in enumerate(rows[first : first + self.lines]):
            line = make()
            for x, cell in enumerate(cells):
                line[x] = cell
            self.buffer[y] = line
        self.wrapped = {y - first for y in wrapped if y >= first}
        self.cursor.y, self.cursor.x = cursor[0] - first, cursor[1]

    def text(self):
        rows = self.past + [(self.row(y), y in self.wrapped) for y in range(self.lines)]
        while rows and not rows[-1][0]:
            rows.pop()
        lines, current = [], ""
        for text, goes_on in rows:
            current += text
            if not goes_on:
                lines.append(current)
                current = ""
        return "\n".join(lines + ([current] if current else [])) + "\n"


class Session:
    def __init__(self, columns, lines, reflows, command):
        self.window = Window(columns, lines, reflows)
        self.stream = pyte.ByteStream(self.window)
        self.frames = 0
        self.status = None
        begin, may_begin = os.pipe()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            self.set_size(0, columns, lines)
            os.read(begin, 1)
            os.execv(command[0], command)
        self.set_size(self.terminal, columns, lines)
        # Before the program can have changed it.
        self.mode = termios.tcgetattr(self.terminal)[3]
        os.write(may_begin, b".")
        os.close(begin)
        os.close(may_begin)

    @staticmethod
    def set_size(descriptor, columns, lines):
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, seconds):
        """Shows what comes in so long a time at most; false at the end."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return False
        self.frames += data.count(b"\x1b[?2026h")
        self.stream.feed(data)
        return bool(data)

    def drain(self):
        while select.select([self.terminal], [], [], 0)[0]:
            if not self.read(0):
                return

    def resize(self, columns, lines):
        """Resizes while the program stands still, so that nothing is on its way."""
        os.kill(self.pid, signal.SIGSTOP)
        _, status = os.waitpid(self.pid, os.WUNTRACED)
        self.drain()
        if not os.WIFSTOPPED(status):
            self.status = status
            return
        self.window.resize_window(columns, lines)
        self.set_size(self.terminal, columns, lines)
        os.kill(self.pid, signal.SIGCONT)


def main():
    columns, resizes, reflows = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "1"
    session = Session(columns, 24, reflows, sys.argv[4:])
    chance = random.Random(columns * 2 + reflows)
    begun, done, interrupted, drawn = time.monotonic(), 0, 0, None
    key = os.environ.get("EMULATE_KEY", "")
    interrupts = int(os.environ.get("EMULATE_INTERRUPTS", "0"))
    pressed = 0
    while session.read(0.03):
        now = time.monotonic() - begun
        # A busy machine may be late with several.
        while session.status is None and done < resizes and now > 0.2 + 0.03 * done:
            width = columns if done + 1 == resizes else chance.choice([20, 40, 80, 200, columns])
            session.resize(width, chance.randint(2, 40))
            done += 1
        # It takes keys once it has drawn something, which may take long on a busy machine.
        if session.frames and drawn is None:
            drawn = pressed = now
        if drawn is None:
            continue
        if key and now > drawn + 0.3:
            os.write(session.terminal, key.encode())
            key, pressed = "", now
        if interrupts and not key and now > pressed + 0.3 + 0.7 * interrupted:
            os.write(session.terminal, b"\x03")
            interrupts, interrupted = interrupts - 1, interrupted + 1
    mode = termios.tcgetattr(session.terminal)[3]
    if session.status is None:
        _, session.status = os.waitpid(session.pid, 0)
    seconds = time.monotonic() - begun
    code = os.waitstatus_to_exitcode(session.status)
    # A frame at once, then one in each interval, and one for each change of the window.
    most = 10 * seconds + done + 2
    frames = "too many" if session.frames > most else "few"
    keys = "as before" if mode == session.mode else "taken away"
    print(f"exit {code}, {done} resizes, {frames} frames, keys {keys}")
    print(session.window.text(), end="")


main()
