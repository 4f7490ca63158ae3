import type { TextStyle } from './drawing.ts'
import type { MeasureText } from './text-fit.ts'

/** The unit of fonts on a canvas: large, so that widths are not rounded. */
const measuredPixels = 100

/** The two families of the page. */
function fontFamilyOf(style: TextStyle): string {
  const styles = getComputedStyle(document.documentElement)
  return styles.getPropertyValue(style.isMono ? '--mono' : '--font') || 'sans-serif'
}

/** Without it in canvases, which Safari lacks, texts have no letter-spacing anywhere: preview and PDF are the same. */
export const hasTracking =
  typeof CanvasRenderingContext2D === 'function' && 'letterSpacing' in CanvasRenderingContext2D.prototype

export function setFont(context: CanvasRenderingContext2D, style: TextStyle, pixels: number): void {
  context.font = `${style.weight} ${pixels}px ${fontFamilyOf(style)}`
  if (hasTracking) context.letterSpacing = `${(style.tracking ?? 0) * pixels}px`
}

/** Where there is no canvas, about the width of a character. */
const usualWidth = 0.55

/** Measures with the fonts of this browser. */
export function createMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return (text, { size }) => text.length * usualWidth * size
  const widths = new Map<string, number>()
  return (text, style) => {
    const key = `${style.weight} ${style.isMono} ${style.tracking} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      setFont(context, style, measuredPixels)
      width = context.measureText(text).width / measuredPixels
      widths.set(key, width)
    }
    return width * style.size
  }
}

const rightToLeft = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The direction of a line, by its first strong character. */
export const directionOf = (text: string): 'ltr' | 'rtl' => (rightToLeft.test(text) ? 'rtl' : 'ltr')

/** Loads what prints need of the page's font, for measuring. Resolves without it when it does not load. */
export async function loadFonts(): Promise<void> {
  if (!('fonts' in document)) return
  const family = fontFamilyOf({ size: 1, weight: 420 })
  await Promise.allSettled([420, 540, 640, 680].map((weight) => document.fonts.load(`${weight} 20px ${family}`)))
}
