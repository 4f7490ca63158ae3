/** Browsers may defer decoding while they paint nothing: so long after it has loaded, an image counts as decoded. */
const decodeTimeoutMs = 3_000

/**
 * Loads and decodes an image, so that it appears without a flicker. Null if it cannot be loaded, or not within
 * `timeoutMs`.
 */
export async function loadImage(url: string, timeoutMs: number): Promise<HTMLImageElement | null> {
  const image = new Image()
  const timers: ReturnType<typeof setTimeout>[] = []
  const after = <Result>(ms: number, result: () => Result): Promise<Result> =>
    new Promise((resolve) => timers.push(setTimeout(() => resolve(result()), ms)))
  const loaded = new Promise<HTMLImageElement>((resolve) => {
    image.addEventListener('load', () => void after(decodeTimeoutMs, () => image).then(resolve), { once: true })
  })
  image.src = url
  const decoded = image.decode().then(
    () => image,
    // Browsers refuse to decode very large images in advance, but they can show them.
    () => (image.complete && image.naturalWidth > 0 ? image : null),
  )
  try {
    return await Promise.race([decoded, loaded, after(timeoutMs, () => null)])
  } finally {
    timers.forEach(clearTimeout)
  }
}
