/** Length of the film, and how often its picture changes. */
const film = { ms: 2_000, frameMs: 100, side: 16 }

/**
 * Keeps the screen of this device on until the returned function is called. Over plain http browsers have no wake lock:
 * then a silent film, made here, plays in a loop behind the page.
 */
export function keepAwake(page: Window): () => void {
  const { document, navigator } = page
  let over = false
  let lock: WakeLockSentinel | undefined
  let stopFilm: (() => void) | undefined
  const play = (): void => {
    stopFilm ??= playFilm(document)
  }
  const ask = async (): Promise<void> => {
    const locks = (navigator as Partial<Navigator>).wakeLock // absent over plain http
    if (over || document.visibilityState !== 'visible') return
    if (!locks) return play()
    try {
      lock = await locks.request('screen')
      if (over) await lock.release()
    } catch {
      play()
    }
  }
  const asked = (): void => void ask()
  document.addEventListener('visibilitychange', asked)
  asked()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', asked)
    void lock?.release().catch(() => {})
    stopFilm?.()
  }
}

function playFilm(document: Document): () => void {
  const video = document.createElement('video')
  video.className = 'stage__film'
  video.muted = true
  video.loop = true
  video.playsInline = true
  video.tabIndex = -1
  video.setAttribute('aria-hidden', 'true')
  let over = false
  const resume = (): void => {
    if (document.visibilityState === 'visible' && video.src) video.play().catch(() => {})
  }
  const show = async (): Promise<void> => {
    const made = await makeFilm(document)
    if (!made || over) return
    video.src = URL.createObjectURL(made)
    document.body.append(video)
    resume()
  }
  void show()
  document.addEventListener('visibilitychange', resume)
  return () => {
    over = true
    document.removeEventListener('visibilitychange', resume)
    video.pause()
    video.remove()
    if (video.src) URL.revokeObjectURL(video.src)
  }
}

/** Two seconds of a dark square, recorded from a canvas. Null where a browser cannot record. */
async function makeFilm(document: Document): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = film.side
  canvas.height = film.side
  const brush = canvas.getContext('2d')
  if (!brush || typeof MediaRecorder === 'undefined' || !('captureStream' in canvas)) return null
  const stream = canvas.captureStream(1000 / film.frameMs)
  try {
    const recorder = new MediaRecorder(stream)
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const ended = new Promise<void>((done) => recorder.addEventListener('stop', () => done(), { once: true }))
    recorder.start()
    for (let frame = 0; frame * film.frameMs < film.ms; frame++) {
      // A canvas that does not change sends no frames.
      brush.fillStyle = frame % 2 === 0 ? 'black' : 'rgb(1 1 1)'
      brush.fillRect(0, 0, film.side, film.side)
      await new Promise((done) => setTimeout(done, film.frameMs))
    }
    recorder.stop()
    await ended
    return new Blob(parts, { type: recorder.mimeType })
  } catch {
    return null
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
