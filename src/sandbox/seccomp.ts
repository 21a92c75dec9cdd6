/** Numbers of the newer system calls, which are the same on both architectures. */
const newer = {
  clone3: 435,
  denied: [
    428, // open_tree
    429, // move_mount
    430, // fsopen
    431, // fsconfig
    432, // fsmount
    433, // fspick
    438, // pidfd_getfd
    442, // mount_setattr
    467, // open_tree_attr
  ],
};

interface Architecture {
  /** AUDIT_ARCH_… of the kernel. */
  readonly audit: number;
  readonly ioctl: number;
  /** `clone` and `unshare`: their flags are the first argument. */
  readonly flagged: readonly number[];
  /** ptrace, process_vm_readv, process_vm_writev, setns, mount, umount2, pivot_root, add_key, request_key, keyctl. */
  readonly denied: readonly number[];
  /** The first call number of x32, which has the same architecture id as x64. */
  readonly foreignFrom: number | undefined;
}

const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    ioctl: 16,
    flagged: [56, 272],
    denied: [101, 310, 311, 308, 165, 166, 155, 248, 249, 250],
    foreignFrom: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    ioctl: 29,
    flagged: [220, 97],
    denied: [117, 270, 271, 268, 40, 39, 41, 217, 218, 219],
    foreignFrom: undefined,
  },
};

const load = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpAnyBit = 0x45;
const give = 0x06;

const allow = 0x7fff0000;
const kill = 0x80000000;
const notPermitted = 0x00050001;
/** The error of an old kernel: the C library then falls back to `clone`, whose flags can be checked. */
const notImplemented = 0x00050026;

/** Offsets in `struct seccomp_data`. */
const callNumber = 0;
const architecture = 4;
const firstArgument = 16;
const secondArgument = 24;

/** CLONE_NEWUSER and CLONE_NEWNS: a nested namespace could unmount what covers the protected paths. */
const nesting = 0x10020000;
/** The ioctls that type into the terminal, which the sandbox shares with the shell outside. */
const tiocsti = 0x5412;
const tioclinux = 0x541c;

/**
 * The program for `bwrap --seccomp`, in classic BPF; undefined if the numbers of this architecture are not known. It replaces
 * `--new-session`, which would cut off the terminal's size, its signals and /dev/tty.
 */
export function seccompFilter(arch: string): Buffer | undefined {
  const numbers = architectures[arch];
  if (numbers === undefined) return undefined;
  const program: (readonly [code: number, value: number, whenTrue: number, whenFalse: number])[] = [];
  const add = (code: number, value: number, whenTrue = 0, whenFalse = 0) =>
    program.push([code, value, whenTrue, whenFalse]);

  add(load, architecture);
  add(jumpEqual, numbers.audit, 1, 0);
  add(give, kill);
  add(load, callNumber);
  if (numbers.foreignFrom !== undefined) {
    add(jumpAtLeast, numbers.foreignFrom, 0, 1);
    add(give, notPermitted);
  }
  for (const number of [...numbers.denied, ...newer.denied]) {
    add(jumpEqual, number, 0, 1);
    add(give, notPermitted);
  }
  add(jumpEqual, newer.clone3, 0, 1);
  add(give, notImplemented);
  for (const number of numbers.flagged) {
    add(jumpEqual, number, 0, 4);
    add(load, firstArgument);
    add(jumpAnyBit, nesting, 0, 1);
    add(give, notPermitted);
    add(give, allow);
  }
  add(jumpEqual, numbers.ioctl, 1, 0);
  add(give, allow);
  add(load, secondArgument);
  add(jumpEqual, tiocsti, 1, 0);
  add(jumpEqual, tioclinux, 0, 1);
  add(give, notPermitted);
  add(give, allow);

  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, value, whenTrue, whenFalse]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
