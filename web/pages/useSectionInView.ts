import { useEffect, useState } from 'react'

/** Height of the navigation bar with a margin, in CSS pixels. */
const sectionTopPx = 120

/** The id of the section in view: the last one whose top has been scrolled past; at the end of the page, the last one. */
export function useSectionInView(ids: readonly string[]): string | undefined {
  const [currentSection, setCurrentSection] = useState(ids[0])
  useEffect(() => {
    const updateCurrentSection = (): void => {
      const sectionTops = ids.map((id) => ({
        id,
        top: document.getElementById(id)?.getBoundingClientRect().top ?? Infinity,
      }))
      const { scrollHeight } = document.documentElement
      const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2
      const passed = sectionTops.filter(({ top }) => top <= sectionTopPx).at(-1)
      setCurrentSection((isAtEnd ? sectionTops.at(-1) : (passed ?? sectionTops[0]))?.id)
    }
    updateCurrentSection()
    window.addEventListener('scroll', updateCurrentSection, { passive: true })
    return () => window.removeEventListener('scroll', updateCurrentSection)
  }, [ids])
  return currentSection
}
