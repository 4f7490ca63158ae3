import { useEffect, useState, type RefObject } from 'react'

/** Browsers hand files over at once, or after a while: phones make them ready first. */
const quickMs = 400
const mostMs = 90_000

/**
 * Whether the device is preparing the files that were picked: the picker is closed, and neither files nor a
 * cancellation have come. `onCancel` hears of the latter.
 */
export function usePreparing(input: RefObject<HTMLInputElement | null>, onCancel: () => void) {
  const [state, setState] = useState<'idle' | 'picking' | 'preparing'>('idle')

  useEffect(() => {
    if (state === 'idle') return
    let timer: ReturnType<typeof setTimeout> | undefined
    const back = (): void => {
      if (state !== 'picking') return
      clearTimeout(timer)
      timer = setTimeout(() => setState('preparing'), quickMs)
    }
    if (state === 'preparing') timer = setTimeout(() => setState('idle'), mostMs)
    window.addEventListener('focus', back)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', back)
    }
  }, [state])

  useEffect(() => {
    const field = input.current
    const cancelled = (): void => {
      setState('idle')
      onCancel()
    }
    field?.addEventListener('cancel', cancelled)
    return () => field?.removeEventListener('cancel', cancelled)
  }, [input, onCancel])

  return {
    isPreparing: state === 'preparing',
    opened: () => setState('picking'),
    arrived: () => setState('idle'),
  }
}
