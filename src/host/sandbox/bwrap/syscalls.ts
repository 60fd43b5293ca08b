/** Machines for which the numbers of the system calls are known. */
export type SandboxMachine = 'x64' | 'arm64'

/** `undefined` where the machine does not have the call. */
type Numbers = readonly [x64: number, arm64: number | undefined]

/** Calls that no program in a box needs, and that reach the kernel at its weakest places. */
const refused: Readonly<Record<string, Numbers>> = {
  // Other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // Namespaces and mounts
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  // The machine
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  create_module: [174, undefined],
  acct: [163, 89],
  syslog: [103, 116],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
  uselib: [134, undefined],
  _sysctl: [156, undefined],
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
  personality: [135, 92],
  // Large parts of the kernel with a history of holes
  bpf: [321, 280],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  // Keys belong to the user, not to a namespace
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Memory of other processes and nodes, or hidden from limits
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  remap_file_pages: [216, 234],
  memfd_secret: [447, 447],
  lsm_set_self_attr: [460, 460],
}

/** Calls that are allowed by their arguments. */
const inspected = {
  socket: [41, 198],
  socketpair: [53, 199],
  ioctl: [16, 29],
  clone: [56, 220],
  clone3: [435, 435],
} as const satisfies Record<string, Numbers>

/** The first number that is unknown here. A call that a newer kernel adds is refused. */
export const firstUnknownSyscall = 471

export interface SyscallNumbers {
  /** `AUDIT_ARCH_…`: a program may not switch to the calls of another machine. */
  architecture: number
  refused: readonly number[]
  inspected: Readonly<Record<keyof typeof inspected, number>>
}

const architectures: Readonly<Record<SandboxMachine, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
}

/** The numbers of the system calls that the filter names. */
export function syscallsOf(machine: SandboxMachine): SyscallNumbers {
  const column = machine === 'x64' ? 0 : 1
  const numbers = Object.values(refused).map((row) => row[column])
  return {
    architecture: architectures[machine],
    refused: numbers.filter((number) => number !== undefined),
    inspected: {
      socket: inspected.socket[column],
      socketpair: inspected.socketpair[column],
      ioctl: inspected.ioctl[column],
      clone: inspected.clone[column],
      clone3: inspected.clone3[column],
    },
  }
}

/** The names beside their numbers, for a test that compares them with the headers of the kernel. */
export const refusedSyscalls = refused
export const inspectedSyscalls: Readonly<Record<string, Numbers>> = inspected
