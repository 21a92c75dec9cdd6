declare module '../kernel/context.ts' {
  interface Settings {
    /** Folders or files of process definitions, absolute, in order of preference. */
    readonly processes: readonly string[];
    /** The definitions that come with the product. */
    readonly shippedProcesses: string;
  }
}
