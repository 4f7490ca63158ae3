import { useEffect, useRef, useState } from 'react'
import type { Face } from './face.ts'
import { prepare, sharpen, type Prepared } from './prepare.ts'

/** Time to fade out; the same as --mid. */
const fadeMs = 180
const againMs = 5_000
const mostAttempts = 24

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const isStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * What the stage shows: photo, code and line change together, after both images have decoded. What cannot be loaded
 * never takes the place of what can be seen; it is tried again for two minutes. The same face must be the same object.
 */
export function useFace(wanted: Face | null): { shown: Prepared | null; leaving: boolean } {
  const [shown, setShown] = useState<Prepared | null>(null)
  const [leavingFor, setLeavingFor] = useState<Face | null>(null)
  const isBare = useRef(true)

  useEffect(() => {
    if (!wanted) {
      isBare.current = true
      return
    }
    let gone = false
    async function change(face: Face): Promise<void> {
      const ready = await prepareAtLast(face, () => gone)
      if (gone || !ready) return
      if (!isBare.current && !isStill()) {
        setLeavingFor(face)
        await pause(fadeMs)
        if (gone) return
      }
      isBare.current = false
      setShown(ready)
      setLeavingFor(null)
      const sharp = await sharpen(ready)
      if (sharp && !gone) setShown(sharp)
    }
    void change(wanted)
    return () => {
      gone = true
    }
  }, [wanted])

  return { shown: wanted && shown, leaving: wanted !== null && leavingFor === wanted }
}

/** The same object as long as the key is the same. */
export function useSameFace(face: Face | null): Face | null {
  const [same, setSame] = useState(face)
  if (same?.key === face?.key) return same
  setSame(face)
  return face
}

async function prepareAtLast(face: Face, isGone: () => boolean): Promise<Prepared | null> {
  for (let attempt = 0; attempt < mostAttempts && !isGone(); attempt++) {
    const ready = await prepare(face)
    if (ready) return ready
    await pause(againMs)
  }
  return null
}
