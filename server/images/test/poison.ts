/** The faults that the image process of tests injects when its input says so. */
export const imageProcessFaults = [
  'segfault',
  'abort',
  'exit',
  'loop',
  'hang',
  'stall',
  'memory',
  'chatter',
  'flood',
  'after-thumbnail',
  'no-thumbnail',
  'no-files',
  'empty-file',
  'full-is-link',
  'full-is-folder',
  'thumbnail-is-folder',
  'input-replaced',
  'disk-full',
  'bug',
  'probe-isolation',
] as const
export type ImageProcessFault = (typeof imageProcessFaults)[number]

/** The input that makes `poison-process.ts` do this. Some faults have an argument. */
export const poison = (fault: ImageProcessFault, argument = ''): Buffer =>
  Buffer.from(`POISON ${fault} ${argument}`.trimEnd())
