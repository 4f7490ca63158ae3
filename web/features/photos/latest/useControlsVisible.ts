import { useEffect, useState } from 'react'

const controlsVisibleMs = 3_500

/** Whether the controls and the cursor are visible: for some seconds after a movement, a touch or a key. */
export function useControlsVisible(): boolean {
  const [visible, setVisible] = useState(true)
  useEffect(() => {
    let hideTimer = setTimeout(() => setVisible(false), controlsVisibleMs)
    let lastPosition = ''
    const show = (): void => {
      setVisible(true)
      clearTimeout(hideTimer)
      hideTimer = setTimeout(() => setVisible(false), controlsVisibleMs)
    }
    const onMove = ({ screenX, screenY, pointerType }: PointerEvent): void => {
      // Browsers also dispatch a move when the page changes below a resting cursor.
      const position = `${pointerType} ${screenX} ${screenY}`
      if (position !== lastPosition) show()
      lastPosition = position
    }
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerdown', show)
    window.addEventListener('keydown', show)
    return () => {
      clearTimeout(hideTimer)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerdown', show)
      window.removeEventListener('keydown', show)
    }
  }, [])
  return visible
}
