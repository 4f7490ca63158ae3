import type { LogoGround, LogoGrounds } from '@keepsnap/contract/logo-grounds.ts'

/** The share of a logo's visible pixels, 0 to 1, with low contrast on a light (paper) and a dark (ink) background. */
export interface LowContrast {
  onPaper: number
  onInk: number
}

/** Assumed for a logo that has not been measured or cannot be: dark on transparent, the most common kind. */
export const presumedContrast: LowContrast = { onPaper: 0, onInk: 1 }

/** The share of low-contrast pixels up to which a logo needs no background of its own. */
const maxLostShare = 0.1

/** The background that a logo needs in the light theme, in the dark theme, and on the big screen (dark by default). */
export function chooseLogoGrounds(
  { onPaper, onInk }: LowContrast,
  { hasBackground }: { hasBackground: boolean },
): LogoGrounds {
  const light = onPaper > maxLostShare && onInk < onPaper ? 'ink' : 'none'
  const dark = onInk > maxLostShare && onPaper < onInk ? 'paper' : 'none'
  return { light, dark, stage: hasBackground ? groundOnUnknownBackground({ onPaper, onInk }) : dark }
}

/** The background that a logo needs on an unknown one: an owner's image, or a mail client's light or dark theme. */
export function groundOnUnknownBackground({ onPaper, onInk }: LowContrast): LogoGround {
  if (Math.max(onPaper, onInk) <= maxLostShare) return 'none'
  return onInk < onPaper ? 'ink' : 'paper'
}
