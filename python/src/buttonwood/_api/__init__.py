# Generated from the OpenAPI document by `npm run generate`. Do not edit.
