import type { Page } from 'playwright-core'

/** A place in the window, in pixels. */
export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** An element around a text. */
interface SurroundingBox extends Box {
  name: string
  /** The innermost that is not part of a line. */
  isBlock: boolean
  clipsX: boolean
  clipsY: boolean
  scrolls: boolean
  isFixed: boolean
}

/** A text that is visible, or would be if nothing cut it off. */
export interface ShownText {
  words: string
  /** Where its lines are. */
  lines: Box[]
  /** The number of the element that it is in. */
  parent: number
  /** From the innermost on. */
  boxes: SurroundingBox[]
  /** Whether it stays in its place while the page scrolls. */
  isPinned: boolean
}

declare global {
  interface Window {
    /** Put there by `textsOn`, in each page. */
    surroundingBoxes?: (element: Element) => { boxes: SurroundingBox[]; isHidden: boolean; isPinned: boolean }
  }
}

/** All texts of a page; `wide` is what makes it scroll sideways, empty if nothing does. */
export async function textsOn(page: Page): Promise<{ texts: ShownText[]; wide: string }> {
  await page.evaluate(defineSurroundingBoxes)
  return page.evaluate(() => {
    const texts: ShownText[] = []
    const parents = new Map<Element, number>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode as Text // the walker shows nothing else
      const parent = text.parentElement
      if (!parent || !text.data.trim() || parent.closest('script, style, noscript, option, textarea')) continue
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const { boxes, isHidden, isPinned } = window.surroundingBoxes!(parent) // defined above
      const range = document.createRange()
      range.selectNodeContents(text)
      const rects = Array.from(range.getClientRects()).filter(({ width }) => width > 1)
      if (isHidden || !rects.length) continue
      const lines = rects.map(({ left, right, top, bottom }) => ({ left, right, top, bottom }))
      const number = parents.get(parent) ?? parents.size
      parents.set(parent, number)
      texts.push({
        words: text.data.trim().replaceAll(/\s+/g, ' ').slice(0, 60),
        lines,
        parent: number,
        boxes,
        isPinned,
      })
    }
    const { scrollWidth } = document.documentElement
    const wide = Array.from(document.querySelectorAll('body *'))
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 0.5)
      .map(({ tagName, classList }) => [tagName.toLowerCase(), ...classList].join('.'))
    return { texts, wide: scrollWidth > window.innerWidth ? `${scrollWidth} px, ${wide.slice(0, 4).join(', ')}` : '' }
  })
}

/** Runs in the page. */
function defineSurroundingBoxes(): void {
  window.surroundingBoxes = (element) => {
    const boxes: SurroundingBox[] = []
    let isHidden = false
    let isPinned = false
    for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
      const { display, overflowX, overflowY, position, clipPath } = getComputedStyle(each)
      const { left, right, top, bottom } = each.getBoundingClientRect()
      const isInline = /^(inline|contents)$/.test(display)
      const name = [each.tagName.toLowerCase(), ...Array.from(each.classList).slice(0, 2)].join('.')
      boxes.push({
        name,
        left,
        right,
        top,
        bottom,
        isBlock: !isInline && boxes.every((box) => !box.isBlock),
        clipsX: /hidden|clip/.test(overflowX),
        clipsY: /hidden|clip/.test(overflowY),
        scrolls: /auto|scroll/.test(`${overflowX} ${overflowY}`),
        isFixed: position === 'fixed',
      })
      // For screen readers only.
      isHidden ||= clipPath === 'inset(50%)' || (!isInline && each.clientWidth <= 1 && each.clientHeight <= 1)
      isPinned ||= /^(fixed|sticky)$/.test(position)
    }
    return { boxes, isHidden, isPinned }
  }
}
