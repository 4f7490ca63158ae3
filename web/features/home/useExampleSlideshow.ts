import { useEffect, useState } from 'react'
import { useSampleCodeUrl } from '../../lib/sample-code-url.ts'
import { exampleSizes, examples, exampleSrcSet, type Example } from './examples.ts'

const slideIntervalMs = 6_000
/** Duration of the fade-out; the same as --duration-mid. */
const fadeMs = 180

/** The server, which renders the first example, has no window. */
const prefersReducedMotion = (): boolean =>
  typeof window !== 'undefined' && window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Shows the examples one after the other, each with the URL of its QR code; photo and code change together, after both
 * have decoded. Pauses in a hidden tab, and starts paused for users who prefer reduced motion.
 */
export function useExampleSlideshow() {
  const codeUrlOf = useSampleCodeUrl()
  const [index, setIndex] = useState(0)
  const [isFadingOut, setIsFadingOut] = useState(false)
  const [paused, setPaused] = useState(prefersReducedMotion)

  useEffect(() => {
    if (paused) return
    let cancelled = false
    let slideTimer = setTimeout(showNext, slideIntervalMs)
    async function showNext() {
      const next = (index + 1) % examples.length
      const example = examples[next]! // the index is below the length
      const ready = !document.hidden && (await isReady(example, codeUrlOf(example.name)))
      if (cancelled) return
      if (!ready) {
        slideTimer = setTimeout(showNext, slideIntervalMs)
        return
      }
      setIsFadingOut(true)
      slideTimer = setTimeout(() => {
        setIndex(next)
        setIsFadingOut(false)
      }, fadeMs)
    }
    return () => {
      cancelled = true
      clearTimeout(slideTimer)
    }
  }, [index, paused, codeUrlOf])

  const example = examples[index] ?? examples[0]
  return { example, codeUrl: codeUrlOf(example.name), isFadingOut: isFadingOut && !paused, paused, setPaused }
}

async function isReady(example: Example, codeUrl: string): Promise<boolean> {
  const photo = new Image()
  photo.sizes = exampleSizes
  photo.srcset = exampleSrcSet(example)
  const code = new Image()
  code.src = codeUrl
  try {
    await Promise.all([photo.decode(), code.decode()])
    return true
  } catch {
    return false
  }
}
