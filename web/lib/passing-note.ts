import { limits } from '@keepsnap/contract/limits.ts'
import { useCallback, useEffect, useState } from 'react'

/** What became of a change. */
export interface PassingNote {
  tone: 'ok' | 'bad'
  text: string
}

interface Shown extends PassingNote {
  ms: number
}

/** Something said beside the control that it is about, gone by itself after three seconds or as many `ms` as given. */
export function usePassingNote(): [PassingNote | null, (note: PassingNote, ms?: number) => void] {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), shown.ms)
    return () => clearTimeout(timer)
  }, [shown])
  const say = useCallback((note: PassingNote, ms: number = limits.messageMs) => setShown({ ...note, ms }), [])
  return [shown, say]
}
