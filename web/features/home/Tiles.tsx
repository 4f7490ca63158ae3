import { useText } from '../../lib/i18n.tsx'
import { BoothArt, BrandArt, GalleryArt, BigScreenArt, PhoneArt } from './tile-illustrations.tsx'
import { Tile } from './Tile.tsx'
import bride from '../../pictures/topper-720.webp'
import { home } from '../../messages/en/home.ts'

/** The features of the product, each with an illustration. */
export function Tiles() {
  const text = useText({ home })
  const { bigScreen, pocket, mail, brand, gallery, booth } = text.tiles
  return (
    <section className="wrap tiles-section" aria-labelledby="tiles-heading">
      <h2 id="tiles-heading" className="section-heading">
        {text.tilesHeading}
      </h2>
      <ul className="tiles">
        <Tile {...bigScreen} art={<BigScreenArt line={bigScreen.line} />} />
        <Tile {...pocket} art={<PhoneArt src={bride} button={pocket.button} />} />
        <Tile
          {...mail}
          art={
            <div className="tile-email">
              <span className="label">{mail.label}</span>
              <span className="input" translate="no">
                lotte@example.com
              </span>
              <span className="btn btn--primary btn--block">{mail.button}</span>
            </div>
          }
        />
        <Tile {...brand} art={<BrandArt />} />
        <Tile {...gallery} art={<GalleryArt />} />
        <Tile {...booth} art={<BoothArt />} />
      </ul>
    </section>
  )
}
