import sharp from 'sharp'

const petal = (turn: number): string =>
  `<path d="M0-38C46-92 46-176 0-214C-46-176-46-92 0-38Z" transform="rotate(${turn})" fill="url(#light)" fill-opacity=".92"/>`

/** A logo without text: a lens of eight petals in a ring, transparent around it. Resolves with a PNG. */
export const drawLogo = (): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="720" viewBox="-300 -300 600 600"><defs>` +
        `<linearGradient id="light" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffd58f"/><stop offset="1" stop-color="#f2785c"/></linearGradient></defs>` +
        `<circle r="268" fill="#1c0f10"/><circle r="252" fill="none" stroke="#ffd58f" stroke-width="9"/>` +
        `${[0, 45, 90, 135, 180, 225, 270, 315].map(petal).join('')}<circle r="30" fill="#fff1dc"/></svg>`,
    ),
  )
    .png()
    .toBuffer()
