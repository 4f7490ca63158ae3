import type { refusedPhotos as english } from '../en/refused-photos.ts'

export const refusedPhotos: typeof english = {
  // Photos and uploads.
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
