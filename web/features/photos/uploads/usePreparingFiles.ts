import { useEffect, useState, type RefObject } from 'react'

/** Browsers deliver picked files at once or, on phones that convert them first, after a while. */
const preparingAfterMs = 400
const maxPreparingMs = 90_000

/**
 * Whether the device is preparing the picked files: the picker is closed, and neither files nor a cancellation have
 * arrived. `onCancel` is called after a cancellation.
 */
export function usePreparingFiles(input: RefObject<HTMLInputElement | null>, onCancel: () => void) {
  const [state, setState] = useState<'idle' | 'picking' | 'preparing'>('idle')

  useEffect(() => {
    if (state === 'idle') return
    let timer: ReturnType<typeof setTimeout> | undefined
    const onFocus = (): void => {
      if (state !== 'picking') return
      clearTimeout(timer)
      timer = setTimeout(() => setState('preparing'), preparingAfterMs)
    }
    if (state === 'preparing') timer = setTimeout(() => setState('idle'), maxPreparingMs)
    window.addEventListener('focus', onFocus)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', onFocus)
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
    onPickerOpened: () => setState('picking'),
    onFilesArrived: () => setState('idle'),
  }
}
