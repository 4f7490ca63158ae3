import { useEffect, useState, type RefObject } from 'react'

/** Browsers deliver picked files at once or, on phones that convert them first, after a while. */
const preparingAfterMs = 400
const maxPreparingMs = 90_000

/**
 * Whether the device is preparing the picked files: the picker is closed, and neither files nor a cancellation have
 * arrived. `onCancel` is called after a cancellation.
 */
export function usePreparingFiles(input: RefObject<HTMLInputElement | null>, onCancel: () => void) {
  const [pickerState, setPickerState] = useState<'idle' | 'picking' | 'preparing'>('idle')

  useEffect(() => {
    if (pickerState === 'idle') return
    let filePickerTimer: ReturnType<typeof setTimeout> | undefined
    const onFocus = (): void => {
      if (pickerState !== 'picking') return
      clearTimeout(filePickerTimer)
      filePickerTimer = setTimeout(() => setPickerState('preparing'), preparingAfterMs)
    }
    if (pickerState === 'preparing') filePickerTimer = setTimeout(() => setPickerState('idle'), maxPreparingMs)
    window.addEventListener('focus', onFocus)
    return () => {
      clearTimeout(filePickerTimer)
      window.removeEventListener('focus', onFocus)
    }
  }, [pickerState])

  useEffect(() => {
    const fileInput = input.current
    const cancelled = (): void => {
      setPickerState('idle')
      onCancel()
    }
    fileInput?.addEventListener('cancel', cancelled)
    return () => fileInput?.removeEventListener('cancel', cancelled)
  }, [input, onCancel])

  return {
    isPreparing: pickerState === 'preparing',
    onPickerOpened: () => setPickerState('picking'),
    onFilesArrived: () => setPickerState('idle'),
  }
}
