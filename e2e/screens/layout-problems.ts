import type { Page } from 'playwright-core'

/** More than this moves while a page is loaded and read: too much (docs/behaviour.md does not say so, the design does). */
export const maxLayoutShift = 0.02

declare global {
  interface Window {
    /** The sum of all layout shifts since the page was opened, and what moved. */
    layoutShift?: { sum: number; moved: string[] }
  }
}

/** An entry of Chromium's; TypeScript's library has none. */
interface ShiftEntry extends PerformanceEntry {
  value: number
  /** What moved, with its place in the window before and after. */
  sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** Counts layout shifts from the start of each page on, those after an input too. */
export const countLayoutShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shift = { sum: 0, moved: [] as string[] }
    window.layoutShift = shift
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as ShiftEntry[]) {
        shift.sum += entry.value
        for (const { node, previousRect, currentRect } of entry.sources) {
          const element = node instanceof Element ? node : node?.parentElement
          const [before, after] = [previousRect, currentRect].map(({ x, y, height }) => [x, y, height].map(Math.round))
          const name = element && [element.tagName.toLowerCase(), ...element.classList].join('.')
          if (name) shift.moved.push(`${name} (${before?.join(' ')} -> ${after?.join(' ')})`)
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** What moved while the page was loaded. */
export async function shiftProblems(page: Page): Promise<string[]> {
  const { sum, moved } = await page.evaluate(() => window.layoutShift ?? { sum: 0, moved: [] })
  return sum > maxLayoutShift ? [`layout shift ${sum.toFixed(3)} of ${[...new Set(moved)].slice(0, 6).join(', ')}`] : []
}

/** Text that leaves its box, is cut off, or lies on other text; and whether the page scrolls sideways. */
export const layoutProblems = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const tolerance = 1.5
    const problems = new Set<string>()
    const nameOf = (element: Element): string =>
      [element.tagName.toLowerCase(), ...Array.from(element.classList).slice(0, 2)].join('.')
    const { scrollWidth } = document.documentElement
    if (scrollWidth > window.innerWidth) {
      const elements = Array.from(document.querySelectorAll('body *'))
      const wide = elements.filter((element) => element.getBoundingClientRect().right > window.innerWidth + 0.5)
      problems.add(`scrolls sideways, ${scrollWidth} px: ${wide.slice(0, 4).map(nameOf).join(', ')}`)
    }

    const isInline = (element: Element): boolean => /^(inline|contents)$/.test(getComputedStyle(element).display)
    const clips = (value: string): boolean => value === 'hidden' || value === 'clip'
    const scrolls = (value: string): boolean => value === 'auto' || value === 'scroll'
    const pinned = (element: Element): boolean => /^(fixed|sticky)$/.test(getComputedStyle(element).position)

    function ancestorsOf(element: Element): Element[] {
      const all: Element[] = []
      for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) all.push(each)
      return all
    }
    /** Hidden from everybody but screen readers. */
    const isForScreenReaders = (element: Element): boolean => {
      const { clipPath } = getComputedStyle(element)
      return clipPath === 'inset(50%)' || (element.clientWidth <= 1 && element.clientHeight <= 1 && !isInline(element))
    }
    /** Where text stands, without what a scrolling box hides on purpose. */
    function check(text: Text, parent: Element): void {
      const range = document.createRange()
      range.selectNodeContents(text)
      const rects = Array.from(range.getClientRects()).filter(({ width }) => width > 1)
      if (!rects.length) return
      const words = text.data.trim().replaceAll(/\s+/g, ' ').slice(0, 60)
      const left = Math.min(...rects.map((rect) => rect.left))
      const right = Math.max(...rects.map((rect) => rect.right))
      const top = Math.min(...rects.map((rect) => rect.top))
      const bottom = Math.max(...rects.map((rect) => rect.bottom))
      const ancestors = ancestorsOf(parent)
      if (ancestors.some(isForScreenReaders)) return
      const block = ancestors.find((each) => !isInline(each))
      for (const each of ancestors) {
        const style = getComputedStyle(each)
        const box = each.getBoundingClientRect()
        const isOver = right > box.right + tolerance || left < box.left - tolerance
        const isUnder = bottom > box.bottom + 3 || top < box.top - 3
        if (scrolls(style.overflowX) || scrolls(style.overflowY)) return
        // Not cut off but left out, as the oldest of a list that shows what fits.
        const isOutside = right < box.left || left > box.right || bottom < box.top || top > box.bottom
        if (isOutside && (clips(style.overflowX) || clips(style.overflowY))) return
        if (isOver && each === block) problems.add(`"${words}" is wider than ${nameOf(each)}`)
        else if (isOver && clips(style.overflowX)) problems.add(`"${words}" is cut off by ${nameOf(each)}`)
        if (isUnder && clips(style.overflowY)) problems.add(`"${words}" is cut off below by ${nameOf(each)}`)
        if (style.position === 'fixed') return
      }
      if (!ancestors.some(pinned)) places.push({ parent, words, lines: rects })
    }
    const places: { parent: Element; words: string; lines: DOMRect[] }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode as Text // as asked for
      const parent = text.parentElement
      if (!parent || !text.data.trim() || parent.closest('script, style, noscript, option, textarea, .visually-hidden'))
        continue
      if (parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) check(text, parent)
    }
    const overlap = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 4 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 6
    for (const [at, one] of places.entries())
      for (const other of places.slice(at + 1))
        if (one.parent !== other.parent && one.lines.some((line) => other.lines.some((each) => overlap(line, each))))
          problems.add(`"${one.words}" lies on "${other.words}"`)
    return [...problems]
  })
