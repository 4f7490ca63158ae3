import type * as english from '../en/refusals.ts'

const refusedPhotos: typeof english.refusedPhotos = {
  // Photos and uploads.
  'This code does not exist.': 'Diesen Code gibt es nicht.',
  'An event needs a code of its own. Please replace it with a new one instead.':
    'Eine Veranstaltung braucht einen eigenen Code. Bitte ersetze ihn durch einen neuen.',
  'An event has at most {} codes. Please revoke some of those for tables first.':
    'Eine Veranstaltung hat höchstens {0} Codes. Bitte widerrufe zuerst einige von Tischen.',
  'An event has at most {} helpers. Please remove one that has ended first.':
    'Eine Veranstaltung hat höchstens {0} Helfer. Bitte entferne zuerst einen, dessen Zugang beendet ist.',
  'This contributor does not exist.': 'Diesen Gast gibt es nicht mehr.',
  'This photo does not exist.': 'Dieses Foto gibt es nicht.',
  'Photo not found': 'Foto nicht gefunden',
  'No photos found. Upload your first photo!': 'Keine Fotos gefunden. Lade dein erstes Foto hoch!',
  'This photo does not exist or is no longer shared.': 'Dieses Foto gibt es nicht oder es wird nicht mehr geteilt.',
  'This file is not a photo we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'Diese Datei können wir nicht als Foto lesen. Wähle ein Bild als JPG, PNG, GIF, WebP, AVIF, TIFF oder HEIC.',
  'This file is not a photo we can read. Please upload a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'Diese Datei können wir nicht als Foto lesen. Lade ein Bild als JPG, PNG, GIF, WebP, AVIF, TIFF oder HEIC hoch.',
  'This file is empty. Please choose another one.': 'Diese Datei ist leer. Wähle eine andere.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and try again.':
    'Dieses Bild hat mehr als {0} Megapixel, mehr als wir verarbeiten können. Mach es kleiner und versuch es noch einmal.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and upload it again.':
    'Dieses Bild hat mehr als {0} Megapixel, mehr als wir verarbeiten können. Mach es kleiner und lade es noch einmal hoch.',
  'This file is compressed or coloured in a way that is not supported. Please save it as JPG or PNG and upload it again.':
    'Die Komprimierung oder die Farben dieser Datei werden nicht unterstützt. Speichere sie als JPG oder PNG und lade sie noch einmal hoch.',
  'This animation is too long or too large. We can process up to {} frames, and {} megapixels over all frames. Please shorten it or make it smaller, and upload it again.':
    'Diese Animation ist zu lang oder zu groß. Wir können bis zu {0} Einzelbilder verarbeiten, zusammen {1} Megapixel. Kürze oder verkleinere sie und lade sie noch einmal hoch.',
  "We couldn't add your logo to this photo. Please upload the logo again in Settings, then retry the photo.":
    'Wir konnten dein Logo nicht auf dieses Foto setzen. Lade das Logo in den Einstellungen neu hoch und versuch es mit dem Foto noch einmal.',
  'This SVG contains scripts, links, other files or embedded images. Please save it as a plain SVG or as PNG and upload it again.':
    'Diese SVG-Datei enthält Skripte, Links, andere Dateien oder eingebettete Bilder. Speichere sie als einfaches SVG oder als PNG und lade sie noch einmal hoch.',
  'This SVG could not be rendered: it is damaged or too large for a logo. Please save it again, or as PNG, and upload it again.':
    'Diese SVG-Datei lässt sich nicht darstellen: Sie ist beschädigt oder zu groß für ein Logo. Speichere sie neu oder als PNG und lade sie noch einmal hoch.',
  'This photo is damaged or incomplete. Please upload the original file again.':
    'Dieses Foto ist beschädigt oder unvollständig. Lade die Originaldatei noch einmal hoch.',
  'This photo took too long to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Die Verarbeitung dieses Fotos hat zu lange gedauert. Speichere es in einem Bildprogramm neu oder mach es kleiner, und lade es noch einmal hoch.',
  'This photo needs too much memory to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Die Verarbeitung dieses Fotos braucht zu viel Speicher. Speichere es in einem Bildprogramm neu oder mach es kleiner, und lade es noch einmal hoch.',
  'Something went wrong while processing this photo. Please upload it again.':
    'Bei der Verarbeitung dieses Fotos ist etwas schiefgegangen. Lade es noch einmal hoch.',
  'This file is larger than {} MB, the limit of your plan, {}. Reduce its size and try again.':
    'Diese Datei ist größer als {0} MB, die Grenze deines Tarifs ({1}). Verkleinere sie und versuch es noch einmal.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Upgrade for more.":
    'Dein Tarif ({0}) umfasst {1} Fotos im Monat, und du hast alle verbraucht. Der nächste Monat beginnt am 1. (UTC). Mit einem größeren Tarif gibt es mehr.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Please contact us if you need more.":
    'Dein Tarif ({0}) umfasst {1} Fotos im Monat, und du hast alle verbraucht. Der nächste Monat beginnt am 1. (UTC). Schreib uns, wenn du mehr brauchst.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Upgrade for more.':
    'Dein Tarif ({0}) umfasst {1} GB Speicher, und dieses Foto passt nicht mehr hinein. Lösche Fotos, die du nicht mehr brauchst, oder wähle einen größeren Tarif.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Please contact us if you need more.':
    'Dein Tarif ({0}) umfasst {1} GB Speicher, und dieses Foto passt nicht mehr hinein. Lösche Fotos, die du nicht mehr brauchst, oder schreib uns, wenn du mehr brauchst.',
  'Many of your files that take long to process are waiting. Please upload this one again in a minute. Ordinary JPEG photos are still accepted.':
    'Es warten viele deiner Dateien, deren Verarbeitung lange dauert. Lade diese in einer Minute noch einmal hoch. Gewöhnliche JPEG-Fotos gehen weiterhin.',
  'Today, photos of yours that could not be processed took {} minutes, which is the limit. Please upload this one tomorrow (UTC).':
    'Fotos von dir, die sich nicht verarbeiten ließen, haben heute {0} Minuten gebraucht. Das ist die Grenze. Lade dieses morgen (UTC) hoch.',
  'Too many uploads at once. Please wait for the others to finish.':
    'Zu viele Uploads auf einmal. Warte, bis die anderen fertig sind.',
  'Too many changes at once. Please wait for the others to finish.':
    'Zu viele Änderungen auf einmal. Warte, bis die anderen fertig sind.',
  'The upload took too long. Please try again.': 'Der Upload hat zu lange gedauert. Versuch es noch einmal.',
  'The upload was too slow and was cancelled. Please try again on a better connection.':
    'Der Upload war zu langsam und wurde abgebrochen. Versuch es mit einer besseren Verbindung noch einmal.',
  'The connection closed before the upload finished.': 'Die Verbindung brach ab, bevor der Upload fertig war.',
  'This photo was already uploaded and has since been deleted.':
    'Dieses Foto wurde schon hochgeladen und inzwischen gelöscht.',
  'Only photos whose processing failed can be retried.':
    'Nur Fotos, deren Verarbeitung fehlgeschlagen ist, lassen sich noch einmal versuchen.',
  'The uploaded file has been deleted. Please upload it again.':
    'Die hochgeladene Datei wurde gelöscht. Lade sie noch einmal hoch.',
  'Only a photo of yours that guests can see can be held.':
    'Du kannst nur ein eigenes Foto fixieren, das Gäste sehen können.',
  'Your removed photos do not fit into the storage of your plan. Choose a larger plan, or delete photos you no longer need.':
    'Deine entfernten Fotos passen nicht in den Speicher deines Tarifs. Wähle einen größeren Tarif oder lösche Fotos, die du nicht mehr brauchst.',
  'There are no removed photos to put back.': 'Es gibt keine entfernten Fotos, die sich zurückholen lassen.',
  // Logo, background and watermark.
  'Your own logo and background are part of {}. Your plan is {}.':
    'Eigenes Logo und eigener Hintergrund gehören zu den Pro-Tarifen. Dein Tarif ist {1}.',
  'This file is not an image we can read. Please choose a {} file.':
    'Diese Datei können wir nicht als Bild lesen. Wähle eine andere Datei ({0}).',
  'This file is larger than 10 MB. Reduce its size and try again.':
    'Diese Datei ist größer als 10 MB. Verkleinere sie und versuch es noch einmal.',
  'This is taking too long right now. Please try again.': 'Das dauert gerade zu lange. Versuch es noch einmal.',
  'Something went wrong. Please upload it again.': 'Da ist etwas schiefgegangen. Lade die Datei noch einmal hoch.',
  'There is no {} to delete.': 'Es gibt nichts zu löschen.',
  'Upload a logo first.': 'Lade zuerst ein Logo hoch.',
  'Your photos are already being processed. Wait for that to finish, or stop it.':
    'Deine Fotos werden schon verarbeitet. Warte, bis das fertig ist, oder brich es ab.',
  'There is no logo yet. Upload one to see it on a photo.':
    'Es gibt noch kein Logo. Lade eines hoch, um es auf einem Foto zu sehen.',
  'There is no photo yet. Upload one to see your logo on it.':
    'Es gibt noch kein Foto. Lade eines hoch, um dein Logo darauf zu sehen.',
  'The preview is taking too long right now. Please try again.':
    'Die Vorschau dauert gerade zu lange. Versuch es noch einmal.',
  'This photo no longer exists.': 'Dieses Foto gibt es nicht mehr.',
  'A preview is already in progress. Please wait for it.': 'Eine Vorschau wird schon erstellt. Warte auf sie.',
}

export const refusals: typeof english.refusals = {
  general: 'Das hat nicht geklappt. Versuch es noch einmal.',
  sentences: {
    ...refusedPhotos,
    // Accounts.
    'Please enter a valid email address': 'Gib eine gültige E-Mail-Adresse ein',
    'This is already your address': 'Das ist schon deine Adresse',
    'This email is already registered.': 'Diese E-Mail-Adresse ist schon registriert.',
    'Password must be at most {} characters long': 'Das Passwort darf höchstens {0} Zeichen haben',
    'Password must be at least 8 characters long': 'Das Passwort braucht mindestens 8 Zeichen',
    'Password must contain at least one uppercase letter': 'Das Passwort braucht mindestens einen Großbuchstaben',
    'Password must contain at least one lowercase letter': 'Das Passwort braucht mindestens einen Kleinbuchstaben',
    'Password must contain at least one number': 'Das Passwort braucht mindestens eine Ziffer',
    'Password must contain at least one special character': 'Das Passwort braucht mindestens ein Sonderzeichen',
    'Please confirm your email address first. The link is in the email we sent you.':
      'Bitte bestätige zuerst deine E-Mail-Adresse. Der Link steht in der E-Mail, die du von uns bekommen hast.',
    'Many people use this password. Choose one that others do not use.':
      'Viele Menschen verwenden dieses Passwort. Wähle eines, das andere nicht verwenden.',
    'Too many attempts for this account. Please wait {} {} and try again.':
      'Zu viele Versuche für dieses Konto. Warte {0} s und versuch es noch einmal.',
    'Too many requests. Please wait {} {} and try again.': 'Zu viele Anfragen. Warte {0} s und versuch es noch einmal.',
    'Several emails have already been sent to this address. Please try again in an hour.':
      'An diese Adresse wurden schon mehrere E-Mails geschickt. Versuch es in einer Stunde noch einmal.',
    'Several test emails have been sent already. Please try again in an hour.':
      'Es wurden schon mehrere Test-E-Mails verschickt. Versuch es in einer Stunde noch einmal.',
    'Your email address is already confirmed.': 'Deine E-Mail-Adresse ist schon bestätigt.',
    'Invalid or expired reset token. Please request a new password reset link.':
      'Dieser Link ist ungültig oder abgelaufen. Fordere einen neuen an, um dein Passwort zu ändern.',
    'This link has expired or has already been used. Sign in and ask for a new one in Settings.':
      'Dieser Link ist abgelaufen oder wurde schon benutzt. Melde dich an und fordere in den Einstellungen einen neuen an.',
    'Too many sign-ins right now. Please try again.': 'Gerade melden sich zu viele Leute an. Versuch es noch einmal.',
    'This is not your current password.': 'Das ist nicht dein aktuelles Passwort.',
    'Invalid email or password.': 'E-Mail-Adresse oder Passwort stimmt nicht.',
    'Please give a time zone such as Europe/Brussels': 'Wähle eine Zeitzone, zum Beispiel Europe/Brussels',
    'This session does not exist.': 'Dieses Gerät ist schon abgemeldet.',
    'Your password was just changed on another device. Please sign in again.':
      'Dein Passwort wurde gerade auf einem anderen Gerät geändert. Melde dich neu an.',
    'Please sign in.': 'Melde dich an.',
    'Please enter a name': 'Gib einen Namen ein',
    'Please enter a name for your API key': 'Gib deinem API-Schlüssel einen Namen',
    'Please use at most {} characters': 'Verwende höchstens {0} Zeichen',
    'The name contains line breaks or invisible characters. Please type it again':
      'Der Name enthält Zeilenumbrüche oder unsichtbare Zeichen. Tippe ihn neu',
    'The name cannot contain a link or an email address. Put a space after a dot':
      'Der Name darf keinen Link und keine E-Mail-Adresse enthalten. Setze nach einem Punkt ein Leerzeichen',
    'This photo was hidden from guests by the operator of this site. Please write to support if you think that this is a mistake.':
      'Dieses Foto hat der Betreiber dieser Website für Gäste ausgeblendet. Wenn du meinst, dass das ein Irrtum ist, kontaktiere bitte den Support.',
    // Requests of guests.
    'Unable to load photo details. The photo may not exist or may be private.':
      'Das Foto lässt sich nicht laden. Vielleicht existiert es nicht mehr oder ist privat.',
    'Too many requests from your network today. Please try again later.':
      'Aus deinem Netzwerk kamen heute zu viele Anfragen. Versuch es später noch einmal.',
    'Too many people are requesting photos right now. Please try again later.':
      'Gerade fordern zu viele Leute Fotos an. Versuch es später noch einmal.',
    'The photos of this event are not open.': 'Die Fotos dieser Veranstaltung sind nicht freigegeben.',
    'The photos are open already. Reload the page to see them.':
      'Die Fotos sind schon freigegeben. Lade die Seite neu, um sie zu sehen.',
    'These photos cannot be downloaded together, or not any more.':
      'Diese Fotos lassen sich nicht oder nicht mehr zusammen herunterladen.',
    "Email isn't set up here. Please ask the person who took the photo.":
      'E-Mail ist hier nicht eingerichtet. Frag die Person, die das Foto gemacht hat.',
    'Please enter your email address': 'Gib deine E-Mail-Adresse ein',
    'Enter a full address, such as name@example.com':
      'Gib eine vollständige Adresse ein, zum Beispiel name@example.com',
    'The address is missing its ending, such as .com': 'Der Adresse fehlt die Endung, zum Beispiel .de',
    'Please enter one address only': 'Gib nur eine Adresse ein',
    'The address contains a space': 'In der Adresse steht ein Leerzeichen',
    "The address contains characters that aren't allowed": 'Die Adresse enthält Zeichen, die nicht erlaubt sind',
    'The address is too long': 'Die Adresse ist zu lang',
    "This doesn't look like an email address": 'Das sieht nicht nach einer E-Mail-Adresse aus',
    'Too many people are opening pages right now. Please try again in a moment.':
      'Gerade öffnen zu viele Leute Seiten. Versuch es gleich noch einmal.',
    'Too many messages from your network today. Please try again tomorrow.':
      'Aus deinem Netzwerk kamen heute zu viele Nachrichten. Versuch es morgen noch einmal.',
    'Too many people are writing to us right now. Please try again later.':
      'Gerade schreiben uns zu viele Leute. Versuch es später noch einmal.',
    'Too many withdrawals have come from your network today. Please write to {} instead: a withdrawal by email counts as well.':
      'Heute kamen zu viele Widerrufe aus deinem Netz. Schreib stattdessen an {0}: Ein Widerruf per E-Mail zählt auch.',
    'Too many withdrawals have been made with this address today. Please write to {} instead: a withdrawal by email counts as well.':
      'Heute wurden mit dieser Adresse zu viele Widerrufe erklärt. Schreib stattdessen an {0}: Ein Widerruf per E-Mail zählt auch.',
    'Too many withdrawals are arriving right now. Please write to {} instead: a withdrawal by email counts as well.':
      'Gerade kommen zu viele Widerrufe an. Schreib stattdessen an {0}: Ein Widerruf per E-Mail zählt auch.',
    // Plans and payments.
    'You already pay for a plan. Use POST /subscriptions/change to change to another one.':
      'Du bezahlst schon für einen Tarif. Ändere ihn in den Einstellungen.',
    'This plan cannot be bought right now. Please try again later.':
      'Dieser Tarif kann gerade nicht gekauft werden. Versuch es später noch einmal.',
    'This plan cannot be bought right now': 'Dieser Tarif kann gerade nicht gekauft werden',
    'No plan is sold at this price': 'Zu diesem Preis wird kein Tarif verkauft',
    'Another checkout was opened at the same time. Please try again.':
      'Gleichzeitig wurde eine andere Bestellung geöffnet. Versuch es noch einmal.',
    'This site does not sell plans.': 'Diese Website verkauft keine Tarife.',
    'You have not paid anything that could be refunded.': 'Du hast nichts bezahlt, das erstattet werden könnte.',
    'You have already had a refund. Each account can have one.':
      'Du hast schon eine Erstattung bekommen. Das geht nur einmal.',
    'Your first payment was more than {} days ago. Cancel your subscription instead.':
      'Deine erste Zahlung ist mehr als {0} Tage her. Du kannst dein Abo aber kündigen.',
    'Your refund is not complete yet. It will be tried again; you need not do anything.':
      'Deine Erstattung ist noch nicht abgeschlossen. Wir versuchen es noch einmal, du musst nichts tun.',
    'Your plan is complimentary: nothing is charged, so there is nothing to cancel.':
      'Dein Tarif ist geschenkt: Es wird nichts berechnet, also gibt es nichts zu kündigen.',
    'Your plan is complimentary and cannot be changed here. To pay for another plan, choose it on the pricing page.':
      'Dein Tarif ist geschenkt und lässt sich hier nicht ändern. Wenn du für einen anderen bezahlen möchtest, wähle ihn auf der Preisseite.',
    'Your plan is complimentary: there is no subscription to resume.':
      'Dein Tarif ist geschenkt: Es gibt kein Abo, das du fortsetzen könntest.',
    'You have no subscription to cancel.': 'Du hast kein Abo, das du kündigen könntest.',
    'You have no subscription to change. Choose a plan on the pricing page.':
      'Du hast kein Abo, das du ändern könntest. Wähle einen Tarif auf der Preisseite.',
    'You have no subscription to resume. Choose a plan on the pricing page.':
      'Du hast kein Abo, das du fortsetzen könntest. Wähle einen Tarif auf der Preisseite.',
    'Your subscription has ended already.': 'Dein Abo ist schon beendet.',
    'Your subscription has ended. Choose a plan on the pricing page.':
      'Dein Abo ist beendet. Wähle einen Tarif auf der Preisseite.',
    'You already have {}. Resume it to keep it.': 'Du hast {0} schon. Setz es fort, um es zu behalten.',
    'You already have {}.': 'Du hast {0} schon.',
    'Your last payment is missing. Update your card in Settings, then change the plan.':
      'Deine letzte Zahlung fehlt. Aktualisiere deine Karte in den Einstellungen und ändere dann den Tarif.',
    'This site cannot take payments at the moment. Please try again later.':
      'Diese Website kann gerade keine Zahlungen annehmen. Versuch es später noch einmal.',
    'Your payment is on its way, which can take some days with this payment method. Your plan starts when it arrives; you need not pay again.':
      'Deine Zahlung ist unterwegs; mit dieser Zahlungsart kann das einige Tage dauern. Dein Tarif beginnt, sobald sie ankommt; du musst nicht noch einmal bezahlen.',
    'Your payment has failed and nothing was charged. Please choose a plan again.':
      'Deine Zahlung hat nicht geklappt, und es wurde nichts abgebucht. Wähle noch einmal einen Tarif.',
    'Your payment was disputed at the bank, so it cannot be refunded here.':
      'Deine Zahlung wurde bei der Bank angefochten und kann deshalb hier nicht erstattet werden.',
    'This checkout does not exist.': 'Diese Bestellung gibt es nicht.',
    'This checkout has not been paid. Finish the payment, or choose a plan again.':
      'Diese Bestellung ist nicht bezahlt. Schließ die Zahlung ab oder wähle noch einmal einen Tarif.',
    'This checkout has expired and nothing was charged. Please choose a plan again.':
      'Diese Bestellung ist abgelaufen und nichts wurde abgebucht. Wähle noch einmal einen Tarif.',
    'You already had a plan. Your second payment is being refunded.':
      'Du hattest schon einen Tarif. Was du ein zweites Mal bezahlt hast, bekommst du zurück.',
    'The subscription of this checkout has ended.': 'Das Abo dieser Bestellung ist beendet.',
    'Your payment has arrived, but its plan is unknown here. Please contact the person who runs this site.':
      'Deine Zahlung ist angekommen, aber der Tarif ist hier unbekannt. Wende dich an den Betreiber dieser Website.',
    'Your payment is still being processed. Your plan starts as soon as it has arrived.':
      'Deine Zahlung wird noch bearbeitet. Dein Tarif beginnt, sobald sie angekommen ist.',
    'You have not paid for a plan, so there are no invoices.':
      'Du hast für keinen Tarif bezahlt, also gibt es keine Rechnungen.',
    'These payments are a demonstration: there is no card to manage.':
      'Diese Zahlungen sind nur eine Demo: Es gibt keine Karte zu verwalten.',
    'Usage analytics come with the Pro plans. Upgrade to see scans and downloads.':
      'Statistiken gehören zu den Pro-Tarifen. Mit einem solchen Tarif siehst du Scans und Downloads.',
    // API keys and webhooks.
    'API access not available with your current subscription': 'Dein aktueller Tarif enthält keinen Zugang zur API',
    'This API key does not exist.': 'Diesen API-Schlüssel gibt es nicht.',
    'You have {} API keys, the most there can be. Please delete one first.':
      'Du hast {0} API-Schlüssel, mehr gehen nicht. Lösche zuerst einen.',
    'This webhook does not exist.': 'Diesen Webhook gibt es nicht.',
    'The event of this webhook was deleted. Bring it back, or choose another event.':
      'Die Veranstaltung dieses Webhooks wurde gelöscht. Hole sie zurück oder wähle eine andere.',
    'This webhook is switched off. Switch it on first.': 'Dieser Webhook ist ausgeschaltet. Schalte ihn zuerst ein.',
    'Tests and replays are limited to {} a day. Please try again later.':
      'Tests und Wiederholungen sind auf {0} am Tag begrenzt. Versuch es später noch einmal.',
    'This delivery does not exist any more.': 'Diese Zustellung gibt es nicht mehr.',
    'This was a test. Send a new one instead.': 'Das war ein Test. Sende stattdessen einen neuen.',
    'You have {} webhooks, the most there can be. Delete one first.':
      'Du hast {0} Webhooks, mehr gehen nicht. Lösche zuerst einen.',
    'Too many deliveries of this webhook wait already. Please try again later.':
      'Es warten schon zu viele Zustellungen dieses Webhooks. Versuch es später noch einmal.',
    // Requests of an owner.
    'This request does not exist.': 'Diese Anfrage gibt es nicht.',
    'Only failed emails can be resent.': 'Nur fehlgeschlagene E-Mails lassen sich noch einmal senden.',
    'This link has expired or a newer export has replaced it. You can export your data again in Settings.':
      'Dieser Link ist abgelaufen oder ein neuerer Export hat ihn ersetzt. In den Einstellungen kannst du deine Daten noch einmal exportieren.',
    // The program as a whole.
    'The service is busy right now. Please try again.': 'Der Dienst ist gerade ausgelastet. Versuch es noch einmal.',
    'Photos cannot be stored or read right now. Nothing is lost. Please try again shortly.':
      'Fotos können gerade weder gespeichert noch gelesen werden. Nichts ist verloren. Versuch es in Kürze noch einmal.',
    'The payment provider cannot be reached right now. Please try again in a minute; nothing is paid twice.':
      'Der Zahlungsanbieter ist gerade nicht erreichbar. Versuch es in einer Minute noch einmal; nichts wird doppelt bezahlt.',
    'This file cannot be read right now. Please try again.':
      'Diese Datei kann gerade nicht gelesen werden. Versuch es noch einmal.',
    'This link has expired. Choose the photos in the gallery and download them again.':
      'Dieser Link ist abgelaufen. Wähl die Fotos in der Galerie aus und lade sie noch einmal herunter.',
    '{} cannot be read. Please leave it out, or try again later.':
      '{0} kann nicht gelesen werden. Lass dieses Foto weg oder versuch es später noch einmal.',
    'One of these photos no longer exists. Please select them again.':
      'Eines dieser Fotos gibt es nicht mehr. Wähl sie bitte noch einmal aus.',
    '{} of these photos no longer exist. Please select them again.':
      '{0} dieser Fotos gibt es nicht mehr. Wähl sie bitte noch einmal aus.',
    'This evening has more than 2,000 photos. Please select up to 2,000 of them.':
      'Dieser Abend hat mehr als 2.000 Fotos. Wähl höchstens 2.000 davon aus.',
    'There are no photos of this evening.': 'Von diesem Abend gibt es keine Fotos.',
    'None of these photos can be downloaded: they are not ready, have failed or are blocked.':
      'Keines dieser Fotos kann heruntergeladen werden: Sie sind noch nicht fertig, fehlgeschlagen oder gesperrt.',
    'Some of these photos have been deleted or replaced. Please download them again.':
      'Einige dieser Fotos wurden gelöscht oder ersetzt. Lade sie bitte noch einmal herunter.',
    'Several downloads are under way. Please wait until one has ended.':
      'Es laufen schon mehrere Downloads. Warte bitte, bis einer fertig ist.',
    'These photos are being prepared for the download. Please try again in a moment.':
      'Diese Fotos werden für den Download vorbereitet. Versuch es gleich noch einmal.',
    'There are no photos to download yet.': 'Es gibt noch keine Fotos zum Herunterladen.',
    'This event has more than {} photos. Please select up to {} at a time in the gallery.':
      'Diese Veranstaltung hat mehr als {0} Fotos. Wähle in der Galerie höchstens {1} auf einmal aus.',
    'This address has a link already. You can send it again.':
      'Diese Adresse hat schon einen Link. Du kannst ihn noch einmal schicken.',
    '{} links to this event work, the most there can be. Please revoke one first.':
      '{0} Links zu dieser Veranstaltung funktionieren, mehr gehen nicht. Sperre zuerst einen.',
    'This link does not exist or works no longer.': 'Diesen Link gibt es nicht, oder er funktioniert nicht mehr.',
    'You have sent many of these emails today. Please try again tomorrow.':
      'Du hast heute viele dieser E-Mails geschickt. Bitte versuch es morgen noch einmal.',
    'Email is not set up here, so no link can be sent.':
      'E-Mail ist hier nicht eingerichtet, darum kann kein Link geschickt werden.',
    'This form was sent from another website. Please open the page here and send it again.':
      'Dieses Formular wurde von einer anderen Website gesendet. Öffne die Seite hier und sende es noch einmal.',
    'Something went wrong on our side. Please try again; if the problem persists, quote this reference: {}':
      'Bei uns ist etwas schiefgegangen. Versuch es noch einmal; bleibt das Problem, nenne diese Kennung: {0}',
    // Why an email was not sent.
    'This person has opted out of photo emails.': 'Diese Person möchte keine E-Mails mit Fotos bekommen.',
    'The photo was hidden from guests before this email was sent.':
      'Das Foto wurde für Gäste ausgeblendet, bevor diese E-Mail gesendet war.',
    'The photo could not be processed and cannot be retried.':
      'Das Foto konnte nicht verarbeitet werden, und ein neuer Versuch ist nicht möglich.',
    'The photo could not be processed. This email is sent when you have retried the photo and it is ready.':
      'Das Foto konnte nicht verarbeitet werden. Diese E-Mail wird gesendet, wenn du es noch einmal versucht hast und das Foto fertig ist.',
    'This email waits until you confirm your email address. You can resend the confirmation email in Settings.':
      'Diese E-Mail wartet, bis du deine Adresse bestätigst. In den Einstellungen kannst du die Bestätigungs-E-Mail noch einmal senden.',
    'Your email address was not confirmed in time.': 'Deine E-Mail-Adresse wurde nicht rechtzeitig bestätigt.',
    'The content of this email no longer exists.': 'Den Inhalt dieser E-Mail gibt es nicht mehr.',
    'Something went wrong on our side while preparing this email.':
      'Bei der Vorbereitung dieser E-Mail ist bei uns etwas schiefgegangen.',
    'Nothing is sent to addresses that end in .example: they exist only in examples.':
      'An Adressen, die auf .example enden, wird nichts gesendet: Es gibt sie nur in Beispielen.',
    'The outbox folder is full. The email waits until there is room.':
      'Der Ausgangsordner ist voll. Die E-Mail wartet, bis Platz ist.',
    'The disk is nearly full. The email waits until there is room.':
      'Die Festplatte ist fast voll. Die E-Mail wartet, bis Platz ist.',
    'Saved to the outbox folder: no mail server is configured.':
      'Im Ordner für ausgehende E-Mails gespeichert: Es ist kein Mailserver eingerichtet.',
    'The outbox folder cannot be written.': 'In den Ausgangsordner kann nicht geschrieben werden.',
    'The file was removed from the outbox folder after {} days, to make room.':
      'Die Datei wurde nach {0} Tagen aus dem Ausgangsordner entfernt, um Platz zu schaffen.',
    'This address does not exist.': 'Diese Adresse gibt es nicht.',
    'This domain does not accept email.': 'Diese Domain nimmt keine E-Mails an.',
    'The mailbox is full.': 'Das Postfach ist voll.',
    'The email is too large for this mailbox.': 'Die E-Mail ist zu groß für dieses Postfach.',
    'The receiving server rejected the message.': 'Der empfangende Server hat die Nachricht abgelehnt.',
    'The mail server asks to try again later.': 'Der Mailserver bittet darum, es später noch einmal zu versuchen.',
    'This address has moved.': 'Diese Adresse ist umgezogen.',
    'The mail server does not accept the sender.': 'Der Mailserver akzeptiert den Absender nicht.',
    'The mailbox cannot be used.': 'Das Postfach kann nicht benutzt werden.',
    'The mailbox is disabled.': 'Das Postfach ist deaktiviert.',
    'The mailbox is busy.': 'Das Postfach ist gerade belegt.',
    'The receiving server does not answer.': 'Der empfangende Server antwortet nicht.',
    'The receiving server did not answer in time.': 'Der empfangende Server hat nicht rechtzeitig geantwortet.',
    'The receiving server is out of storage.': 'Der empfangende Server hat keinen Speicher mehr.',
    'The receiving server does not accept email for this address.':
      'Der empfangende Server nimmt für diese Adresse keine E-Mails an.',
    'The receiving server does not support this kind of address.':
      'Der empfangende Server unterstützt diese Art von Adresse nicht.',
    'The mail server requires authentication.': 'Der Mailserver verlangt eine Anmeldung.',
    'The mail server rejected our login.': 'Der Mailserver hat unsere Anmeldung abgelehnt.',
    'Could not establish a secure connection to the mail server.':
      'Es konnte keine sichere Verbindung zum Mailserver hergestellt werden.',
    'The mail server could not be found.': 'Der Mailserver wurde nicht gefunden.',
    'The mail server did not answer in time.': 'Der Mailserver hat nicht rechtzeitig geantwortet.',
    'The receiving server asks to wait. The email is tried again.':
      'Der empfangende Server bittet um Geduld. Wir versuchen es noch einmal.',
    'The certificate of the mail server is not trusted.': 'Dem Zertifikat des Mailservers wird nicht vertraut.',
    'The certificate of the mail server has expired.': 'Das Zertifikat des Mailservers ist abgelaufen.',
    'The certificate of the mail server is not valid yet.': 'Das Zertifikat des Mailservers ist noch nicht gültig.',
    'The certificate of the mail server is for another host name.':
      'Das Zertifikat des Mailservers gilt für einen anderen Hostnamen.',
    'The mail server could not be reached.': 'Der Mailserver war nicht erreichbar.',
    'The connection to the mail server was lost.': 'Die Verbindung zum Mailserver ist abgebrochen.',
    'The mail server could not be reached for {} hours.': 'Der Mailserver war {0} Stunden lang nicht erreichbar.',
    'The email could not be sent for {} hours. {}': 'Die E-Mail konnte {0} Stunden lang nicht gesendet werden. {1}',
    'This helper does not exist or was removed.': 'Diesen Helfer gibt es nicht, oder er wurde entfernt.',
    'No other device asks to be used by this helper.': 'Für diesen Helfer fragt kein anderes Gerät an.',
    'Another device has asked since. Please ask your helper when, and allow it then.':
      'Inzwischen hat ein anderes Gerät angefragt. Bitte fragen Sie Ihren Helfer, wann das war, und erlauben Sie es dann.',
    'The link of this helper works no longer. Please add a new helper instead.':
      'Der Link dieses Helfers funktioniert nicht mehr. Füge bitte einen neuen Helfer hinzu.',
    'This link is used on another device. Please ask the host to allow this one.':
      'Dieser Link wird auf einem anderen Gerät benutzt. Bitte den Gastgeber, dieses zu erlauben.',
    'The screens show another event now, so no photo can be held.':
      'Die Bildschirme zeigen jetzt eine andere Veranstaltung, deshalb kann kein Foto fixiert werden.',
    'Only a photo of the event that guests can see can be held.':
      'Nur ein Foto der Veranstaltung, das Gäste sehen können, kann fixiert werden.',
    'This event does not exist.': 'Diese Veranstaltung gibt es nicht.',
    'This event is archived. Please take it out of the archive first.':
      'Diese Veranstaltung ist archiviert. Hole sie zuerst aus dem Archiv.',
    'You have {} events, the most there can be. Please delete one first.':
      'Du hast {0} Veranstaltungen, mehr geht nicht. Lösche zuerst eine.',
    'This event was deleted. Please bring it back first.':
      'Diese Veranstaltung wurde gelöscht. Hole sie zuerst zurück.',
  },
}
