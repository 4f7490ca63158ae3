import { encodeQR } from 'qr'

const quietZone = 4
/** Dark on light, whatever the colours of the terminal are: phones do not read the opposite reliably. */
const colours = '\u001b[38;5;16m\u001b[48;5;231m'
const reset = '\u001b[0m'
/** Two modules, one above the other, in one character: by whether the upper and the lower are dark. */
const halfBlocks = [' ', '▄', '▀', '█']

/** A QR code as lines of a terminal; null if it is wider than `columns`. */
export function drawQrCode(text: string, columns: number): string[] | null {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: quietZone })
  if (modules.length > columns) return null
  const lines: string[] = []
  for (let y = 0; y < modules.length; y += 2) {
    const lower = modules[y + 1] ?? []
    const blocks = (modules[y] ?? []).map((isDark, x) => halfBlocks[(isDark ? 2 : 0) + (lower[x] ? 1 : 0)])
    lines.push(`${colours}${blocks.join('')}${reset}`)
  }
  return lines
}
