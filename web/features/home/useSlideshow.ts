import { useEffect, useState } from 'react'
import { exampleSizes, examples, exampleWidths, type Example } from './examples.ts'

const turnMs = 6_000
/** Time to fade out; the same as --mid. */
const fadeMs = 180

/**
 * Photo, code and line change as one, after both images have decoded. Stands still while paused, in a hidden tab, and
 * from the start for people who asked for less motion.
 */
export function useSlideshow() {
  const [at, setAt] = useState(0)
  const [leaving, setLeaving] = useState(false)
  const [paused, setPaused] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches)

  useEffect(() => {
    if (paused) return
    let stopped = false
    let timer = setTimeout(turn, turnMs)
    async function turn() {
      const next = (at + 1) % examples.length
      const ready = !document.hidden && (await isReady(examples[next]!)) // remainder of its own length
      if (stopped) return
      if (!ready) {
        timer = setTimeout(turn, turnMs)
        return
      }
      setLeaving(true)
      timer = setTimeout(() => {
        setAt(next)
        setLeaving(false)
      }, fadeMs)
    }
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [at, paused])

  return { example: examples[at] ?? examples[0], leaving: leaving && !paused, paused, setPaused }
}

async function isReady(example: Example): Promise<boolean> {
  const photo = new Image()
  photo.sizes = exampleSizes
  photo.srcset = exampleWidths(example)
  const code = new Image()
  code.src = example.code
  try {
    await Promise.all([photo.decode(), code.decode()])
    return true
  } catch {
    return false
  }
}
