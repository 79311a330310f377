#include "shogi/record/format.hpp"

#include "shogi/record/csa_writer.hpp"
#include "shogi/record/jkf.hpp"
#include "shogi/record/jsonl.hpp"
#include "shogi/record/kif.hpp"
#include "shogi/record/usi_line.hpp"

namespace kakehashi::shogi::record {

std::optional<Format> format_of_word(std::string_view word) {
  for (const FormatFacts& facts : formats) {
    if (facts.word == word) {
      return facts.format;
    }
  }
  return std::nullopt;
}

std::string write_record(const Record& record, Format format, CommentStyle comments) {
  switch (format) {
    case Format::csa: return CsaWriter::whole(record, CsaVersion::v2_2, comments);
    case Format::csa3: return CsaWriter::whole(record, CsaVersion::v3_0, comments);
    case Format::kif: return write_kif(record, KifEncoding::shift_jis, comments);
    case Format::kifu: return write_kif(record, KifEncoding::utf8, comments);
    case Format::ki2:
    case Format::ki2u: return write_ki2(record, comments);
    case Format::jkf: return write_jkf(record, comments);
    case Format::usi: return write_usi_line(record);
    case Format::jsonl: return write_jsonl(record);
  }
  return "";
}

}  // namespace kakehashi::shogi::record
