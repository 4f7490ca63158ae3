import { type PointerEvent, useRef } from 'react'

/** A pointer that moved less was a tap, or scrolls the page. */
const startPx = 10
/** A swipe counts from this part of the width, but needs no more than so many pixels. */
const widthShare = 0.3
const farPx = 140
/** A flick counts from less. */
const flickPx = 40
const flickPxPerMs = 0.5
/** The speed is that of the last moment. */
const speedMs = 80
const leaveMs = 180

interface Drag {
  pointer: number
  startX: number
  startY: number
  /** Null until it is known whether the pointer moves sideways. */
  isSideways: boolean
  points: { x: number; at: number }[]
}

/**
 * Lets a photo follow a finger that moves sideways, and calls back when that was far or fast enough: 1 to the right, -1 to the left.
 * Styles read `--drag` (pixels) and `--drag-share` (-1 to 1) of the element. Vertical moves scroll the page, two fingers zoom
 * (`touch-action: pan-y pinch-zoom`).
 */
export function useSwipe(onSwipe: (direction: 1 | -1) => void) {
  const drag = useRef<Drag | null>(null)

  const reachOf = (element: Element): number => Math.max(1, Math.min(farPx, element.clientWidth * widthShare))
  const show = (element: HTMLElement, px: number): void => {
    element.dataset['dragging'] = ''
    element.style.setProperty('--drag', `${px}px`)
    element.style.setProperty('--drag-share', String(Math.max(-1, Math.min(1, px / reachOf(element)))))
  }
  const end = (element: HTMLElement): void => {
    drag.current = null
    delete element.dataset['dragging']
    element.style.removeProperty('--drag')
    element.style.removeProperty('--drag-share')
  }
  return {
    onPointerDown({
      pointerId,
      isPrimary,
      button,
      clientX,
      clientY,
      timeStamp,
      currentTarget,
    }: PointerEvent<HTMLElement>) {
      // A second finger: the photo is zoomed.
      if (!isPrimary || button !== 0) return end(currentTarget)
      const points = [{ x: clientX, at: timeStamp }]
      drag.current = { pointer: pointerId, startX: clientX, startY: clientY, isSideways: false, points }
    },
    onPointerMove({ pointerId, clientX, clientY, timeStamp, currentTarget }: PointerEvent<HTMLElement>) {
      const current = drag.current
      if (current?.pointer !== pointerId) return
      const [x, y] = [clientX - current.startX, clientY - current.startY]
      if (!current.isSideways) {
        if (Math.hypot(x, y) < startPx) return
        if (Math.abs(x) <= Math.abs(y)) return end(currentTarget)
        current.isSideways = true
        currentTarget.setPointerCapture(pointerId)
      }
      current.points = [...current.points.filter(({ at }) => timeStamp - at <= speedMs), { x: clientX, at: timeStamp }]
      show(currentTarget, x)
    },
    onPointerUp({ pointerId, clientX, timeStamp, currentTarget }: PointerEvent<HTMLElement>) {
      const current = drag.current
      if (current?.pointer !== pointerId) return
      const x = clientX - current.startX
      const [from] = current.points.filter(({ at }) => timeStamp - at <= speedMs)
      const speed = from && timeStamp > from.at ? (clientX - from.x) / (timeStamp - from.at) : 0
      const isFlick = Math.abs(x) >= flickPx && Math.abs(speed) >= flickPxPerMs && speed > 0 === x > 0
      const counts = current.isSideways && (Math.abs(x) >= reachOf(currentTarget) || isFlick)
      if (counts) letLeave(currentTarget, x)
      end(currentTarget)
      if (counts) onSwipe(x > 0 ? 1 : -1)
    },
    onPointerCancel({ currentTarget }: PointerEvent<HTMLElement>) {
      end(currentTarget)
    },
  }
}

/** A copy of the photo flies out, while the next photo is in its place already. Not for those who prefer less motion. */
function letLeave(element: HTMLElement, x: number): void {
  const photo = element.querySelector<HTMLElement>('[data-swiped]')
  if (!photo || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const copy = photo.cloneNode() as HTMLElement // of an element
  copy.removeAttribute('data-swiped')
  copy.setAttribute('alt', '')
  element.append(copy)
  const transform = `translateX(${Math.sign(x) * element.clientWidth}px) rotate(${Math.sign(x) * 6}deg)`
  const flight = copy.animate([{ transform: `translateX(${x}px)` }, { transform, opacity: 0 }], {
    duration: leaveMs,
    easing: 'ease-out',
  })
  flight.addEventListener('finish', () => copy.remove())
  flight.addEventListener('cancel', () => copy.remove())
}
