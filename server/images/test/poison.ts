import type { ImageProcessFault } from './poison-process.ts'

/** The input that makes `poison-process.ts` do this. Some faults have an argument. */
export const poison = (fault: ImageProcessFault, argument = ''): Buffer =>
  Buffer.from(`POISON ${fault} ${argument}`.trimEnd())
