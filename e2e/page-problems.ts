import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Half as large to parse as the package's main file. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The new theme and size are drawn two frames later at the latest. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

/** Shows a page in a theme. */
export async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForFunction(
    // Pages for guests follow the scheme without the attribute.
    (theme) => (document.documentElement.dataset.theme ?? theme) === theme,
    colorScheme,
  )
  await nextFrame(page)
}

/** The rules of axe that are off or experimental, and that every page passes, besides those that are on. */
export const axeOptions: axe.RunOptions = {
  resultTypes: ['violations'],
  rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
}

/** What axe finds in a page, or in a part of it. */
export async function axeViolations(page: Page, within = 'html'): Promise<string[]> {
  // Parsed once for each document that is loaded.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(
    async ([selector, runOptions]) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe } // put there above
      const { violations } = await inPage.run(selector, runOptions)
      return violations.map(({ id, nodes }) => {
        const texts = nodes.map(({ html, any }) => [html.slice(0, 160), ...any.map(({ message }) => message)].join(' '))
        return `${id}: ${texts.join(' | ')}`
      })
    },
    [within, axeOptions] as const,
  )
}

/** More than this moves while a page is loaded and read: too much. */
const maxLayoutShift = 0.02

declare global {
  interface Window {
    /** The sum of all layout shifts since the page was opened, and what moved. */
    layoutShift?: { sum: number; moved: string[] }
    /** Put there by `textsOn`, in each page. */
    surroundingBoxes?: (element: Element) => { boxes: SurroundingBox[]; isHidden: boolean; isPinned: boolean }
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
    const shift: NonNullable<Window['layoutShift']> = { sum: 0, moved: [] }
    window.layoutShift = shift
    new PerformanceObserver((list) => {
      // Entries of the only type that is observed.
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

/**
 * In forced colours, where no background or shadow of ours is drawn: what is chosen, current or pressed and looks as if it
 * were not. Each state is taken away for a moment and given back.
 */
export async function forcedColourProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const problems = await page.evaluate(() => {
    const looks = (element: Element): string =>
      [undefined, '::before', '::after']
        .map((pseudo) => {
          const style = getComputedStyle(element, pseudo)
          if (pseudo && style.content === 'none') return ''
          const { backgroundColor, color, borderTop, borderBottom, outline, fontWeight, textDecorationLine } = style
          return [backgroundColor, color, borderTop, borderBottom, outline, fontWeight, textDecorationLine].join()
        })
        .join('|')
    const found: string[] = []
    const compare = (part: Element, { shown = part, without, back }: Change): void => {
      if (!shown.checkVisibility()) return
      const before = looks(shown)
      without()
      if (looks(shown) === before)
        found.push(`in forced colours one does not see the state of ${part.outerHTML.slice(0, 120)}`)
      back()
    }
    interface Change {
      shown?: Element
      without: () => void
      back: () => void
    }
    for (const name of ['aria-current', 'aria-pressed'])
      for (const part of document.querySelectorAll(`[${name}]:not([${name}="false"])`)) {
        const value = part.getAttribute(name)!
        // The tiles of the gallery have a tick.
        if (part.querySelector('.photo-tile__check')) continue
        compare(part, { without: () => part.removeAttribute(name), back: () => part.setAttribute(name, value) })
      }
    for (const input of document.querySelectorAll<HTMLInputElement>('input:checked')) {
      const { opacity, appearance } = getComputedStyle(input)
      if (appearance !== 'none' && opacity !== '0') continue
      const shown = opacity === '0' ? (input.closest('label') ?? input) : input
      compare(input, { shown, without: () => (input.checked = false), back: () => (input.checked = true) })
    }
    return found
  })
  await page.emulateMedia({ forcedColors: 'none' })
  return problems
}

/** 1,280 by 1,024 pixels at 400 %. */
const zoomed = { width: 320, height: 256 }

/** At 400 % zoom: whether the page is wider than the screen, and bars that stay in their place and take a third of it; toasts go away. */
export async function zoomProblems(page: Page): Promise<string[]> {
  await page.setViewportSize(zoomed)
  return page.evaluate(async ({ width, height }) => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    // The browser lays the page out in its own time after a change of size.
    const isLaidOut = () => window.innerHeight === height && document.documentElement.scrollWidth <= width
    for (let frames = 0; !isLaidOut() && frames < 100; frames += 1) await drawn()
    const { scrollWidth, scrollHeight } = document.documentElement
    window.scrollTo({ top: scrollHeight / 2, behavior: 'instant' })
    await drawn()
    const bars = Array.from(document.querySelectorAll('body *')).filter((element) => {
      const { position } = getComputedStyle(element)
      const { top, bottom, width: wide } = element.getBoundingClientRect()
      const isBar = wide > width / 2 && bottom > 0 && top < height && element.checkVisibility({ opacityProperty: true })
      // The video that keeps a screen on is behind the page.
      return /fixed|sticky/.test(position) && isBar && !element.closest('dialog, video, [class*="toast"]')
    })
    const covered = bars.reduce((sum, bar) => sum + bar.getBoundingClientRect().height, 0)
    window.scrollTo({ top: 0, behavior: 'instant' })
    return [
      ...(scrollWidth > width ? [`at 400 % it is ${scrollWidth} px wide`] : []),
      ...(covered > height / 3 ? [`at 400 % ${covered} px are under ${bars.map((bar) => bar.className).join()}`] : []),
    ]
  }, zoomed)
}

/** Pixels by which characters may reach over the edge of their box, sideways and up or down. */
const tolerance = { sideways: 1.5, vertical: 3 }

/** Text that leaves its box, is cut off, or lies on other text; and whether the page scrolls sideways. */
export async function layoutProblems(page: Page): Promise<string[]> {
  const { texts, wide } = await textsOn(page)
  const sideways = wide === '' ? [] : [`scrolls sideways: ${wide}`]
  return [...new Set([...sideways, ...texts.flatMap(boxProblems), ...overlaps(texts)])]
}

/** What the boxes around a text do to it, from the innermost on, up to one that scrolls or stays in its place. */
function boxProblems({ words, lines, boxes }: ShownText): string[] {
  const text = surrounding(lines)
  const problems: string[] = []
  for (const box of boxes) {
    const isOver = text.right > box.right + tolerance.sideways || text.left < box.left - tolerance.sideways
    const isUnder = text.bottom > box.bottom + tolerance.vertical || text.top < box.top - tolerance.vertical
    const isOutside = text.right < box.left || text.left > box.right || text.bottom < box.top || text.top > box.bottom
    // Not cut off but left out, as the oldest of a list that shows what fits.
    if (box.scrolls || (isOutside && (box.clipsX || box.clipsY))) return problems
    if (isOver && box.isBlock) problems.push(`"${words}" is wider than ${box.name}`)
    else if (isOver && box.clipsX) problems.push(`"${words}" is cut off by ${box.name}`)
    if (isUnder && box.clipsY) problems.push(`"${words}" is cut off below by ${box.name}`)
    if (box.isFixed) return problems
  }
  return problems
}

const surrounding = (lines: readonly Box[]): Box => ({
  left: Math.min(...lines.map(({ left }) => left)),
  right: Math.max(...lines.map(({ right }) => right)),
  top: Math.min(...lines.map(({ top }) => top)),
  bottom: Math.max(...lines.map(({ bottom }) => bottom)),
})

/** Texts of different elements in the same place. Bars that stay while the page scrolls lie on it on purpose. */
function overlaps(texts: readonly ShownText[]): string[] {
  const scrolling = texts.filter(({ isPinned }) => !isPinned)
  return scrolling.flatMap((one, at) =>
    scrolling
      .slice(at + 1)
      .filter((other) => one.parent !== other.parent)
      .filter((other) => one.lines.some((line) => other.lines.some((each) => isOn(line, each))))
      .map((other) => `"${one.words}" lies on "${other.words}"`),
  )
}

/** The boxes of lines that follow each other closely overlap a little. */
function isOn(one: Box, other: Box): boolean {
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  const height = Math.min(one.bottom - one.top, other.bottom - other.top)
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  return wide > 4 && high > Math.max(6, height / 3)
}

/** A place in the window, in pixels. */
interface Box {
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
interface ShownText {
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

/** All texts of a page; `wide` is what makes it scroll sideways, empty if nothing does. */
async function textsOn(page: Page): Promise<{ texts: ShownText[]; wide: string }> {
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
