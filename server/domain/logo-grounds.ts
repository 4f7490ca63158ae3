import type { LogoGround, LogoGrounds } from '@keepsnap/contract/logo-grounds.ts'

/** The share of a logo's visible pixels, 0 to 1, that can hardly be seen on paper and on ink. */
export interface LowContrast {
  onPaper: number
  onInk: number
}

/** Of a logo that has not been measured yet, or cannot be: the most common one, dark on a transparent background. */
export const presumedContrast: LowContrast = { onPaper: 0, onInk: 1 }

/** A logo may lose a few details on a ground. */
const maxLostShare = 0.1

/** What a logo needs on pages in the light and in the dark theme, and on the big screen, which is dark. */
export function logoGrounds(
  { onPaper, onInk }: LowContrast,
  { hasBackground }: { hasBackground: boolean },
): LogoGrounds {
  const light = onPaper > maxLostShare && onInk < onPaper ? 'ink' : 'none'
  const dark = onInk > maxLostShare && onPaper < onInk ? 'paper' : 'none'
  return { light, dark, stage: hasBackground ? groundOnAnything({ onPaper, onInk }) : dark }
}

/** What a logo needs on a ground that is not known: an owner's background, or what a mail program makes of an email. */
export function groundOnAnything({ onPaper, onInk }: LowContrast): LogoGround {
  if (Math.max(onPaper, onInk) <= maxLostShare) return 'none'
  return onInk < onPaper ? 'ink' : 'paper'
}
