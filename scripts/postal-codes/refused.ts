/** A file that is no whole list of postal codes; the message is a sentence for whoever gave it. */
export class Refused extends Error {
  override name = "Refused";
}
