import { useEffect, useState } from 'react'

/** Height of the navigation bar with a margin, in CSS pixels. */
const topPx = 120

/** The id of the section in view: the last one whose top has been scrolled past; at the end of the page, the last one. */
export function useSectionInView(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0])
  useEffect(() => {
    const update = (): void => {
      const tops = ids.map((id) => ({ id, top: document.getElementById(id)?.getBoundingClientRect().top ?? Infinity }))
      const { scrollHeight } = document.documentElement
      const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2
      const passed = tops.filter(({ top }) => top <= topPx).at(-1)
      setCurrent((isAtEnd ? tops.at(-1) : (passed ?? tops[0]))?.id)
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [ids])
  return current
}
