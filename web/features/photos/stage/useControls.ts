import { useEffect, useState } from 'react'

const shownMs = 3_500

/** Whether the controls are to be seen: after a movement, a touch, a key; they go again with the cursor. */
export function useControls(): boolean {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    let timer = setTimeout(() => setShown(false), shownMs)
    let last = ''
    const stir = (): void => {
      setShown(true)
      clearTimeout(timer)
      timer = setTimeout(() => setShown(false), shownMs)
    }
    const moved = ({ screenX, screenY, pointerType }: PointerEvent): void => {
      // Browsers also report a move when the page changes under a cursor that rests.
      const place = `${pointerType} ${screenX} ${screenY}`
      if (place !== last) stir()
      last = place
    }
    window.addEventListener('pointermove', moved)
    window.addEventListener('pointerdown', stir)
    window.addEventListener('keydown', stir)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointermove', moved)
      window.removeEventListener('pointerdown', stir)
      window.removeEventListener('keydown', stir)
    }
  }, [])
  return shown
}
