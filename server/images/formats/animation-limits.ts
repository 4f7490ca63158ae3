/** The limits of animations: number of frames, and megapixels over all frames. */
export const animationLimits = { frames: 200, megapixels: 40 } as const

/** Whether an animation of so many frames of a size is longer or larger than the limits. `maxMegapixels` may be lower than they. */
export function exceedsAnimationLimits(
  { width, height, frames }: { width: number; height: number; frames: number },
  maxMegapixels: number,
): boolean {
  const megapixels = (width * height * frames) / 1_000_000
  return frames > animationLimits.frames || megapixels > Math.min(animationLimits.megapixels, maxMegapixels)
}
