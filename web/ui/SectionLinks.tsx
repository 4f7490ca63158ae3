import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useFocusFallback } from '../lib/focus.ts'

/** What remains visible of the link before the current one. */
const edgePx = 48

interface Props<Id extends string> {
  label: string
  /** In the order of the page; must not change. */
  ids: readonly Id[]
  names: Record<Id, string>
  /** Of the names, where it is not that of the page. */
  lang?: string | undefined
}

/** Links to the sections of a long page, which stay in view. */
export function SectionLinks<Id extends string>({ label, ids, names, lang }: Props<Id>) {
  const currentSection = useSectionInView(ids)
  const { hash } = useLocation()
  const nav = useRef<HTMLElement>(null)
  // On phones the links are one line, which scrolls.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`[href$="#${currentSection}"]`)
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - edgePx
  }, [currentSection])
  return (
    <nav ref={nav} className="section-links" aria-label={label}>
      {ids.map((id) => (
        <Link
          key={id}
          to={`#${id}`}
          replace={hash !== ''}
          lang={lang}
          aria-current={id === currentSection || undefined}
          // As browsers do for such links: the next Tab continues inside the section.
          onClick={() => document.getElementById(id)?.focus({ preventScroll: true })}
          // Browsers leave a link that is half in view where it is. A pressed one must not move.
          onFocus={({ currentTarget }) => {
            if (nav.current && currentTarget.matches(':focus-visible'))
              nav.current.scrollLeft = currentTarget.offsetLeft - edgePx
          }}
        >
          {names[id]}
        </Link>
      ))}
    </nav>
  )
}

/** Height of the navigation bar with a margin, in CSS pixels. */
const sectionTopPx = 120

/** The id of the section in view: the last one whose top has been scrolled past; at the end of the page, the last one. */
function useSectionInView(ids: readonly string[]): string | undefined {
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

interface SectionProps {
  /** The hash of links to this section. */
  id: string
  title: string
  lead?: string
  children: ReactNode
}

/** A section of a long page. Its title is beside it on wide screens, and above it on others. */
export function Section({ id, title, lead, children }: SectionProps) {
  const heading = useId()
  return (
    <section className="settings-section" id={id} ref={useFocusFallback()} tabIndex={-1} aria-labelledby={heading}>
      <div className="settings-section__head">
        <h2 id={heading}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className="settings-section__body">{children}</div>
    </section>
  )
}
