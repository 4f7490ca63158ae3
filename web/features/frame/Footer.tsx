import { useText } from '../../lib/i18n.tsx'
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx'
import { PlaceLinks } from './PlaceLinks.tsx'
import { placesOf } from './places.ts'
import { frame } from '../../messages/en/frame.ts'

export function Footer({ known }: { known: readonly string[] }) {
  const text = useText({ frame })
  const places = placesOf('footer', known)
  return (
    <footer className="foot">
      <div className="wrap foot__in">
        {places.length > 0 && (
          <nav aria-label={text.footerNavigation}>
            <PlaceLinks places={places} />
          </nav>
        )}
        <ThemeSwitch />
      </div>
    </footer>
  )
}
