import { emails } from '../../messages/en/emails.ts'
import { useText } from '../../lib/i18n.tsx'
import type { EmailContent } from './email-content.ts'
import { Cell, Grid, noPreload } from './EmailLayout.tsx'
import { styles } from './styles.ts'

/** The content of an email: a heading, a few sentences and at most one button. */
export function EmailBody({ heading, sender, picture, paragraphs, quote, note, action }: EmailContent) {
  const text = useText({ emails })
  return (
    <>
      <h1 className="ink" style={styles.heading}>
        {heading}
      </h1>
      {sender !== undefined && (
        <p className="ink2" style={styles.sender}>
          {sender}
        </p>
      )}
      {picture && <Photo {...picture} url={action?.url} />}
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="ink" style={styles.lead}>
          {paragraph}
        </p>
      ))}
      {quote && <Quote {...quote} />}
      {note !== undefined && (
        <p className="ink" style={styles.lead}>
          {note}
        </p>
      )}
      {action && (
        <>
          <ActionButton {...action} />
          {action.expiry && (
            <p className="ink2" style={styles.small}>
              {action.expiry}
            </p>
          )}
          <p className="ink2" style={{ ...styles.small, ...(action.expiry && { paddingTop: 12 }) }}>
            {text.copyLink}
          </p>
          <p className="ink2" style={styles.url} translate="no">
            {action.url}
          </p>
        </>
      )}
    </>
  )
}

/** What somebody wrote, in their own lines and direction of writing. */
function Quote({ title, text }: NonNullable<EmailContent['quote']>) {
  return (
    <blockquote className="quote" style={styles.quote}>
      <p className="ink" dir="auto" style={styles.quoteTitle}>
        {title}
      </p>
      <p className="ink" dir="auto" style={styles.quoteText}>
        {text}
      </p>
    </blockquote>
  )
}

/** The largest size of the photo in pixels: the width of the card's content. */
const maxPhoto = { width: 414, height: 414 }

/** The photo, which leads to its page, like the button. */
function Photo({ cid, width, height, alt, url }: NonNullable<EmailContent['picture']> & { url: string | undefined }) {
  const scale = Math.min(1, maxPhoto.width / width, maxPhoto.height / height)
  return (
    <p style={styles.photo}>
      <a href={url}>
        <img
          src={`cid:${cid}`}
          {...noPreload}
          alt={alt}
          width={Math.round(width * scale)}
          height={Math.round(height * scale)}
          style={styles.photoImage}
        />
      </a>
    </p>
  )
}

function ActionButton({ button, url }: NonNullable<EmailContent['action']>) {
  return (
    <Grid wide>
      <tr>
        <Cell style={styles.buttonCell}>
          <Grid wide>
            <tr>
              <Cell className="action" align="center" style={styles.action}>
                <a className="on-action" href={url} style={styles.button}>
                  {button}
                </a>
              </Cell>
            </tr>
          </Grid>
        </Cell>
      </tr>
    </Grid>
  )
}
