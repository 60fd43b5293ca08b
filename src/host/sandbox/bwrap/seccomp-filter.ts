import { answer, assemble, type BpfInstruction, load, when } from './bpf.ts'
import { firstUnknownSyscall, type SandboxMachine, syscallsOf } from './syscalls.ts'

/** Offsets in `struct seccomp_data`; of an argument, its lower half. */
const offsets = { number: 0, architecture: 4, firstArgument: 16, secondArgument: 24 }

const allow = answer(0x7fff0000)
const kill = answer(0x80000000)
const refuse = (errno: number) => answer(0x00050000 | errno)
const errno = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 }

const families = { unix: 1, inet: 2, inet6: 10 }

/** `CLONE_NEW…` for mounts, control groups, host names, IPC, users, processes and networks. */
const newNamespaces = 0x7e020000

/** Put characters into the input of a terminal. */
const terminalRequests = [0x5412, 0x541c]

/**
 * The filter of system calls for one box. Without `hasNetwork`, no socket can be created at all;
 * with it, sockets of its own empty network, and of the file through which it reaches our proxy.
 */
export function seccompFilter(machine: SandboxMachine, options: { hasNetwork: boolean }) {
  const { architecture, refused, inspected } = syscallsOf(machine)
  const mayOpen = options.hasNetwork ? Object.values(families) : []
  const program: BpfInstruction[] = [
    load(offsets.architecture),
    ...when('jumpIfEqual', architecture, []).map((jump) => ({ ...jump, jumpTrue: 1 })),
    kill,
    load(offsets.number),
    // Also the calls of the x32 machine, which are those of x64 with a high bit.
    ...when('jumpIfAtLeast', firstUnknownSyscall, [refuse(errno.noSuchCall)]),
    // Its flags are in memory, where no filter can see them. The C library falls back to clone.
    ...when('jumpIfEqual', inspected.clone3, [refuse(errno.noSuchCall)]),
    ...refused.flatMap((number) => when('jumpIfEqual', number, [refuse(errno.notPermitted)])),
    ...when('jumpIfEqual', inspected.clone, [
      load(offsets.firstArgument),
      ...when('jumpIfAny', newNamespaces, [refuse(errno.notPermitted)]),
      allow,
    ]),
    ...when('jumpIfEqual', inspected.socket, familiesOnly(mayOpen)),
    // Programs talk to their own children over these.
    ...when('jumpIfEqual', inspected.socketpair, familiesOnly([families.unix])),
    ...when('jumpIfEqual', inspected.ioctl, [
      load(offsets.secondArgument),
      ...terminalRequests.flatMap((request) =>
        when('jumpIfEqual', request, [refuse(errno.notPermitted)]),
      ),
      allow,
    ]),
    allow,
  ]
  return assemble(program)
}

function familiesOnly(known: readonly number[]): BpfInstruction[] {
  return [
    load(offsets.firstArgument),
    ...known.flatMap((family) => when('jumpIfEqual', family, [allow])),
    refuse(errno.noSuchFamily),
  ]
}
