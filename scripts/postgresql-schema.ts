/** PostgreSQL's schema says the same models as SQLite's, which is where they are written. */

export const SQLITE_SCHEMA = "prisma/schema.prisma";
export const POSTGRESQL_SCHEMA = "prisma/postgresql/schema.prisma";

/** What the migrations make and models cannot say: of both databases, and of PostgreSQL alone. */
export const BEYOND_MODELS = "prisma/beyond-models.sql";
export const BEYOND_MODELS_POSTGRESQL = "prisma/postgresql/beyond-models.sql";

/** A package's name, for Node resolves no import of a folder that begins with a dot. */
const OUTPUT = "../../node_modules/@origen/prisma-postgresql";

/** The schema for PostgreSQL, from SQLite's text. @throws when that has no place to change. */
export function postgresqlSchema(sqlite: string): string {
  const changed = [
    ['provider = "sqlite"', 'provider = "postgresql"'],
    ['engineType = "client"', `engineType = "client"\n  output     = "${OUTPUT}"`],
  ].reduce((text, [from, to]) => {
    if (!text.includes(from!)) throw new Error(`${SQLITE_SCHEMA} has no line ${from}`);
    return text.replace(from!, to!);
  }, sqlite);
  return `// Made of ../schema.prisma by scripts/generate.ts. Not to be edited.\n${changed}`;
}

/**
 * What `prisma migrate diff --script` makes of the schema, with every text compared byte by byte: in the collation of a server's
 * language two stores would sort alike only by luck.
 */
export function collated(script: string): string {
  return script.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}
