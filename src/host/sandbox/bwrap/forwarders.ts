import { existsSync } from 'node:fs'
import { boxEgressSocket, controlFd, pipeFds } from './box-script.ts'

/**
 * Programs that can carry connections from `127.0.0.1:3128` in a box to the socket of the proxy,
 * with the shell line that starts them. A box sees `/usr` of this machine, so one of them is enough.
 */
const forwarders: readonly { program: string; places: readonly string[]; script: string }[] = [
  {
    program: 'socat',
    places: ['/usr/bin/socat'],
    script: `socat TCP-LISTEN:3128,bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${boxEgressSocket}`,
  },
  {
    program: 'python3',
    places: ['/usr/bin/python3'],
    script: `python3 -I -S -c '
import socket, threading
def carry(a, b):
    try:
        while data := a.recv(65536): b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass
server = socket.create_server(("127.0.0.1", 3128), backlog=64)
while True:
    inside, _ = server.accept()
    outside = socket.socket(socket.AF_UNIX)
    try:
        outside.connect("${boxEgressSocket}")
    except OSError:
        inside.close(); continue
    for pair in ((inside, outside), (outside, inside)):
        threading.Thread(target=carry, args=pair, daemon=True).start()
'`,
  },
  {
    program: 'perl',
    places: ['/usr/bin/perl'],
    script: `perl -e '
use strict; use Socket; $SIG{CHLD} = "IGNORE"; $SIG{PIPE} = "IGNORE";
socket(my $server, PF_INET, SOCK_STREAM, 0) or die; setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
bind($server, sockaddr_in(3128, inet_aton("127.0.0.1"))) or die; listen($server, 64) or die;
sub carry { my ($from, $to) = @_; my $data;
  while (sysread($from, $data, 65536)) { my $at = 0; while ($at < length $data) {
    my $n = syswrite($to, $data, length($data) - $at, $at); return unless $n; $at += $n } }
  shutdown($to, 1) }
while (accept(my $inside, $server)) { next if fork; close $server;
  socket(my $outside, PF_UNIX, SOCK_STREAM, 0) or exit; connect($outside, pack_sockaddr_un("${boxEgressSocket}")) or exit;
  if (my $child = fork) { carry($inside, $outside); waitpid($child, 0) } else { carry($outside, $inside) } exit }
'`,
  },
  {
    program: 'node',
    places: ['/usr/bin/node', '/usr/local/bin/node'],
    script: `node -e '
require("net").createServer({ allowHalfOpen: true }, (inside) => {
  const outside = require("net").connect({ path: "${boxEgressSocket}", allowHalfOpen: true });
  for (const end of [inside, outside]) end.on("error", () => { inside.destroy(); outside.destroy() });
  inside.pipe(outside); outside.pipe(inside);
}).listen(3128, "127.0.0.1")
'`,
  },
]

/** A program of a box that carries its connections to the proxy; undefined if there is none. */
export function findForwarder(): { program: string; script: string } | undefined {
  const found = forwarders.find(({ places }) => places.some(existsSync))
  if (found === undefined) return undefined
  const { program, script } = found
  // In the background, and with nothing of the command's own output.
  const closed = [controlFd, ...Object.values(pipeFds)].map((fd) => `${fd}>&-`).join(' ')
  return { program, script: `${script} </dev/null >/dev/null 2>&1 ${closed} &` }
}

/** The programs that would do. */
export const forwarderNames = forwarders.map(({ program }) => program)
