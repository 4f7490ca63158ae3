const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => characters[name] ?? '')

/**
 * Moves style attributes into rules: the security policy allows a style element by its hash, but no attributes. In the
 * browser, React sets the same styles without attributes.
 */
export function extractInlineStyles(html: string): { html: string; css: string } {
  const numbers = new Map<string, number>()
  const moved = html.replaceAll(/ style="([^"]*)"/g, (_, escaped: string) => {
    const style = unescapeHtml(escaped)
    const number = numbers.get(style) ?? numbers.size
    numbers.set(style, number)
    return ` data-style="${number}"`
  })
  const rules = Array.from(numbers, ([style, number]) => {
    const declarations = style.split(';').filter(Boolean)
    return `[data-style="${number}"]{${declarations.map((one) => `${one}!important`).join(';')}}`
  })
  // As text of a style element: no value may end it.
  return { html: moved, css: rules.join('').replaceAll('<', '\\3c ') }
}
