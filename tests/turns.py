"""What comes by turns: tests that take long, each on one day of a few, so that every day a run tries some.

The tables below were made from measured seconds of processor. What they do not name runs every day, as does
what a command line names; `make test-long` runs everything. A run's slice is its day (`tests/slices.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from tests.slices import DAYS, IS_LONG, SLICE

LEFT = pytest.StashKey[int]()  # how many tests of a run come on another day

# Files and tests, on the same day each week.
WEEK: tuple[tuple[str, ...], ...] = (
    (
        "tests/household/backups/test_making.py::test_a_restore_into_a_server_of_others_is_one_transaction",
        "tests/household/test_registers_service.py::test_any_order_of_writes_leaves_what_the_rule_says",
        "tests/household/test_second_step.py::test_a_family_that_signs_in_often_from_one_address_is_not_slowed",
        "tests/household/test_wire_household.py::test_ten_wrong_pins_shut_the_door_for_a_while",
        "tests/memory/forgetting/bytes/test_bytes.py",
        "tests/memory/forgetting/test_pages.py::test_a_look_asks_as_much_of_a_long_history_as_of_a_short_one",
        "tests/memory/papers/test_pipeline.py::test_a_report_printed_and_scanned_again_is_read_to_its_end",
        "tests/memory/rules/test_asking_cases.py::test_paraphrases_land_in_one_drawer_and_others_do_not",
        "tests/memory/rules/test_merge_laws.py::test_a_document_comes_back_from_the_wire_as_it_was",
        "tests/memory/rules/test_merge_laws.py::test_no_wording_and_no_telling_of_a_living_memory_is_lost",
        "tests/memory/rules/test_merge_laws.py::test_stores_merge_lawfully",
        "tests/memory/test_restoring.py::test_what_was_forgotten_after_the_backup_is_forgotten_again",
        "tests/memory/test_restoring.py::test_what_was_forgotten_before_the_backup_counts_for_nothing_again",
        "tests/security/test_canaries.py::test_every_text_column_has_a_canary",
        "tests/security/test_headers_and_words.py::test_nothing_a_family_writes_and_no_secret_reaches_the_log",
        "tests/security/test_in_a_box.py",
        "tests/twin/reading/test_targets.py::test_the_labelled_statements_are_read_to_target",
        "tests/twin/rules/test_assessment.py::test_equal_values_have_one_key_whatever_their_order",
        "tests/twin/test_clock_jumps.py::test_days_off_are_closed_in_order_each_once_and_silence_ends_nothing",
        "tests/twin/test_proposals.py::test_an_impatient_proposal_cannot_close_before_the_floors",
        "tests/twin/test_record_pages.py::test_every_sign_of_every_category_can_be_corrected",
        "tests/twin/test_round_faults.py::test_a_worker_that_dies_on_the_third_of_five_missed_days_leaves_three_to_the_next",
        "tests/twin/test_rounds.py::test_silence_is_not_recovery_and_a_word_wakes_a_dormant_course",
        "tests/voice/test_speaking.py::WordsOfAFamilyTest::test_words_outside_the_catalogues_are_never_kept",
        "tests/voice/test_speaking.py::test_a_text_of_the_longest_kind_is_read",
    ),
    (
        "tests/companion/test_companion_says.py::test_heavy_words_without_the_house_get_one_kind_reply_and_a_card_when_it_is_back",
        "tests/companion/test_merge_vectors.py::test_the_companion_merges_as_the_house_does",
        "tests/device/test_real_house.py::test_every_history_ends_alike_in_the_house_and_on_its_tablets",
        "tests/household/backups/test_making.py::test_a_restore_takes_the_place_of_database_and_media",
        "tests/household/backups/test_making.py::test_four_writers_go_on_writing_and_the_dump_is_of_one_moment",
        "tests/household/backups/test_making.py::test_rotation_deletes_files_and_rows_and_what_a_killed_backup_left",
        "tests/household/test_access_log.py::test_each_page_a_professional_opens_is_written_down_once",
        "tests/household/test_invitations.py::test_a_parent_makes_a_link_and_somebody_new_joins_by_it",
        "tests/household/test_settings_pages.py::test_a_passphrase_is_changed_only_by_who_knows_the_old_one",
        "tests/household/test_up.py::test_after_a_killed_up_the_next_one_starts_makes_no_second_database_and_ctrl_c_stops_it",
        "tests/memory/asking/test_conversations.py::test_an_answer_of_somebody_else_or_about_somebody_else_is_gone_on_with_by_nobody",
        "tests/memory/forgetting/bytes/test_untouched.py",
        "tests/memory/forgetting/test_forget.py::test_rounds_derive_again_without_what_was_forgotten",
        "tests/memory/papers/test_manifest.py::test_a_garbage_layer_falls_back_to_its_picture",
        "tests/memory/test_demo.py::test_the_turkish_household_is_written_in_turkish",
        "tests/memory/test_demo_scale.py::test_the_real_rounds_find_nothing_to_change_in_a_bulk_history",
        "tests/security/test_devices.py::test_a_device_is_told_its_own_childs_rows_and_no_others",
        "tests/security/test_sign_in.py::test_a_new_passphrase_keeps_this_session_and_ends_the_others",
        "tests/twin/importing/test_import_pages.py::test_the_real_folders_come_in_and_go_again",
        "tests/twin/test_arrival.py::test_late_words_within_a_course_that_a_person_closed_leave_it_closed",
        "tests/twin/test_arrival.py::test_running_any_days_again_changes_nothing_but_the_counts_of_what_was_done",
        "tests/twin/test_degraded.py::test_one_look_a_minute_is_enough",
        "tests/twin/test_trackables.py::test_today_is_ten_queries_however_much_there_is",
        "tests/twin/test_year.py::test_a_season_of_the_child_is_in_the_book_as_it_was",
        "tests/voice/test_pages.py::test_the_real_voice_streams_sound",
    ),
    (
        "tests/browser/test_first_day.py::test_a_household_s_first_day",
        "tests/companion/test_mind.py::test_a_tablet_recalls_from_the_same_newest_memories_as_the_house",
        "tests/companion/test_places.py::test_an_old_place_that_does_not_go_is_let_go_of_another_time",
        "tests/household/backups/test_making.py::test_a_sealed_backup_opens_with_the_recovery_sheet_alone",
        "tests/household/backups/test_pages.py::test_asked_for_twice_a_backup_is_one_job_and_the_worker_makes_and_proves_it",
        "tests/household/backups/test_vault.py::test_every_entry_comes_back",
        "tests/household/box/test_install.py::test_the_first_start_installs_the_second_nothing_and_a_new_lock_again",
        "tests/household/box/test_roles.py::test_the_test_database_is_migrated_and_ours",
        "tests/household/test_second_wall_plans.py::test_pages_reach_ten_years_by_index_behind_the_wall",
        "tests/household/test_up.py::test_a_database_without_pgvector_ends_in_one_sentence",
        "tests/memory/papers/test_photos.py::test_photographed_pages_of_one_pdf_are_read_whichever_way_each_lies",
        "tests/memory/papers/test_pipeline.py::test_a_scan_waits_for_tesseract_and_goes_on_once_it_is_there",
        "tests/memory/rules/counting/test_simulations.py::test_a_planted_effect_is_supported_within_four_and_within_six_months",
        "tests/memory/rules/test_merge_laws.py::test_revisions_are_a_chain_that_ends_in_the_current_text",
        "tests/memory/rules/test_merge_laws.py::test_tombstones_merge_lawfully",
        "tests/memory/test_demo.py::test_writing_the_same_story_twice_gives_the_same_book",
        "tests/memory/test_demo_scale.py::test_a_day_of_bulk_history_is_eleven_records_of_thirty_three_entries_all_linked",
        "tests/security/test_devices.py::test_an_ended_device_is_told_nothing_anywhere",
        "tests/twin/importing/test_undo.py::test_taken_back_the_children_it_made_go_too_and_can_come_again",
        "tests/twin/test_arrival.py::test_a_course_that_late_words_withdrew_does_not_come_back_with_the_next_late_words",
        "tests/twin/test_arrival.py::test_the_order_of_arrival_does_not_change_the_book",
        "tests/twin/test_clock_jumps.py::test_a_clock_that_came_back_and_went_on_ends_like_one_that_never_jumped",
        "tests/twin/test_course_page.py::test_what_a_person_closed_stays_closed_when_late_words_run_its_days_again",
        "tests/twin/test_round_faults.py::test_a_worker_that_dies_at_any_write_of_the_night_leaves_it_to_be_done_once",
        "tests/twin/test_rounds.py::test_late_words_run_the_closed_days_again_and_keep_the_course_its_id",
    ),
    (
        "tests/companion/test_companion_says.py::test_the_square_opens_the_companion_with_its_code",
        "tests/companion/test_mind.py::test_a_tablet_answers_as_the_house_does",
        "tests/companion/test_mind.py::test_a_tablet_hears_what_the_house_hears",
        "tests/companion/test_places.py::test_a_place_that_is_opened_twice_answers_for_as_long_as_either_is_used",
        "tests/household/backups/test_pages.py::test_the_sheet_shows_the_passphrase_that_opens_the_next_backup",
        "tests/household/box/test_walls.py::test_the_web_process_starts_only_behind_the_wall_or_where_it_is_known_to_be_off",
        "tests/household/test_wire_household.py::test_the_pin_lifts_a_companion",
        "tests/memory/counting/test_night.py::test_night_by_night_equals_a_count_from_nothing",
        "tests/memory/exporting/test_export.py::test_a_household_comes_back_equal",
        "tests/memory/papers/test_manifest.py::test_a_scan_is_read",
        "tests/memory/papers/test_manifest.py::test_the_words_of_a_clean_scan_are_found",
        "tests/memory/rules/counting/test_simulations.py::test_random_diaries_give_a_false_supported_pattern_on_fewer_than_one_night_in_twenty",
        "tests/memory/rules/test_merge_laws.py::test_every_delivery_order_converges_and_nothing_forgotten_is_left",
        "tests/memory/test_demo.py::test_the_command_fills_an_empty_book_makes_its_people_and_says_how_to_sign_in",
        "tests/memory/test_kills.py::test_a_kill_during_the_round_leaves_it_to_be_finished_exactly_once",
        "tests/memory/test_power.py::test_kills_under_load_lose_nothing_acknowledged_and_double_nothing",
        "tests/memory/test_remembering.py::test_unanswered_for_a_week_it_sleeps_and_wakes_with_its_topic",
        "tests/memory/test_restoring.py::test_what_the_backup_never_knew_is_buried_all_the_same",
        "tests/security/test_devices.py::test_a_device_opens_no_page",
        "tests/security/test_sign_in.py::test_an_unknown_name_costs_the_same_hash_as_a_known_one",
        "tests/twin/reading/test_exemplars.py::test_cross_validation_reports_both_languages_with_and_without",
        "tests/twin/test_agenda.py::test_a_course_asked_about_in_vain_for_weeks_is_still_at_most_three_questions_a_day",
        "tests/twin/test_clock_jumps.py::test_a_jump_ahead_and_back_leaves_the_book_as_it_was_and_its_nights_go_on",
        "tests/twin/test_races.py::test_a_tap_on_the_agenda_and_a_round_that_replaces_it_do_not_wait_for_each_other",
        "tests/twin/test_rounds.py::test_observed_normal_days_close_a_course_after_the_floors",
        "tests/twin/test_subject_pages.py::test_a_full_page_asks_no_more_than_a_nearly_empty_one",
    ),
    (
        "tests/companion/test_companion_looks.py::test_a_picture_becomes_a_card_with_a_cover",
        "tests/companion/test_companion_looks.py::test_axe_finds_nothing_and_nothing_is_small",
        "tests/companion/test_places.py::test_a_move_that_fails_stops_nothing_and_is_tried_again",
        "tests/device/test_laws.py::test_every_history_ends_alike_everywhere_and_nothing_forgotten_comes_back",
        "tests/household/box/test_image.py::test_the_roles_script_makes_a_server_the_box_takes_with_both_walls",
        "tests/household/box/test_install.py::test_a_package_other_than_the_locked_one_is_refused",
        "tests/household/test_first_run.py::test_people_sign_in_by_name_whatever_its_case",
        "tests/household/test_up.py::test_a_command_finds_the_database_of_a_running_up_and_has_one_of_its_own_without",
        "tests/household/test_up.py::test_on_a_foreign_server_that_allows_no_roles_it_serves_and_says_what_is_missing",
        "tests/memory/asking/test_asking.py::test_a_stream_nobody_reads_gives_its_place_back",
        "tests/memory/papers/test_locked.py::test_the_right_password_given_on_the_page_opens_it_and_is_kept_nowhere",
        "tests/memory/papers/test_states.py::test_a_professionals_look_at_the_small_picture_is_written_down_once",
        "tests/memory/rules/test_merge_laws.py::test_the_stores_of_a_history_merge_lawfully",
        "tests/memory/test_demo.py::test_an_existing_household_keeps_its_people_and_its_first_person_is_the_parent",
        "tests/memory/test_follow_ups.py::test_an_unknown_outcome_counts_once_a_week_has_passed_and_not_before",
        "tests/memory/test_killed_reader.py::test_a_killed_worker_loses_no_page_and_reads_none_twice",
        "tests/twin/test_course_page.py::test_every_word_of_a_long_course_is_shown_page_by_page_at_the_same_cost",
        "tests/twin/test_model_reader.py::test_a_good_answer_is_taken_and_its_tokens_are_settled",
        "tests/twin/test_races.py::test_two_workers_after_the_same_nights_close_each_day_once",
        "tests/twin/test_round_faults.py::test_the_night_of_these_tests_gives_every_step_something_to_do",
        "tests/twin/test_rounds.py::test_missed_days_run_in_order_each_once",
        "tests/twin/test_silence.py::test_no_proposal_moves_a_course_below_the_floors",
        "tests/twin/test_tap_form.py::test_every_level_of_every_field_can_be_tapped",
        "tests/twin/test_year.py::test_a_season_of_the_cat_is_in_the_book_as_it_was",
        "tests/voice/test_speaking.py::test_one_place_writes_the_table_and_one_place_asks_for_it",
    ),
    (
        "tests/companion/test_companion_looks.py::test_a_whole_visit_by_keyboard",
        "tests/companion/test_companion_says.py::test_without_the_house_it_recalls_and_says_nothing_twice_in_a_week",
        "tests/household/backups/test_making.py::test_a_backup_is_whole_and_proved",
        "tests/household/backups/test_moving_house.py::test_a_household_moves_into_a_new_box",
        "tests/household/box/test_certificates.py::test_over_tls_cookies_travel_over_tls_only",
        "tests/household/box/test_certificates.py::test_the_porch_hands_out_the_authority_that_opens_the_secure_door",
        "tests/household/box/test_certificates.py::test_the_porch_leads_nowhere_else",
        "tests/household/notices/test_home_assistant.py::test_the_sensor_of_the_recipe_gives_numbers_and_no_names",
        "tests/household/test_access_log.py::test_a_look_of_the_family_leaves_no_trace",
        "tests/household/test_up.py::test_up_reaches_its_first_page_and_sigterm_leaves_no_process",
        "tests/memory/asking/test_models.py::test_similar_words_count_only_behind_the_guards",
        "tests/memory/counting/test_night.py::test_a_familys_own_trackable_enters_the_count",
        "tests/memory/counting/test_night.py::test_a_late_day_counted_by_its_round_equals_one_that_was_never_late",
        "tests/memory/counting/test_night.py::test_an_ordinary_night_asks_as_much_after_a_year_as_after_a_month",
        "tests/memory/forgetting/test_devices.py::test_while_a_device_waits_only_a_few_are_taken",
        "tests/memory/rules/test_asking_cases.py::test_the_commands_print_figures_by_language",
        "tests/memory/rules/test_merge_laws.py::test_memories_merge_lawfully",
        "tests/memory/test_sync_races.py::test_twenty_devices_push_at_once",
        "tests/security/test_devices.py::test_what_is_pushed_about_anothers_rows_changes_none",
        "tests/security/test_every_address.py::test_with_both_walls_off_the_canaries_are_seen",
        "tests/twin/test_arrival.py::test_a_course_found_again_keeps_its_id_and_has_none_of_its_old_days",
        "tests/twin/test_degraded.py::test_overdue_days_are_closed_in_order_and_not_all_in_one_page",
        "tests/twin/test_races.py::test_the_same_thirty_days_each_in_its_night_or_all_at_once_are_the_same",
        "tests/twin/test_races.py::test_words_that_race_the_round_of_their_day_end_like_words_before_it",
        "tests/twin/test_races.py::test_workers_after_several_subjects_share_the_nights_among_them",
        "tests/twin/test_round_faults.py::test_a_worker_that_dies_at_any_step_leaves_no_trace_and_the_next_finishes_the_night",
        "tests/voice/test_wyoming.py::test_a_bad_address_ends_in_one_sentence",
    ),
    (
        "tests/companion/test_merge_vectors.py::test_a_wrong_document_is_told",
        "tests/companion/test_mind.py::test_a_nod_has_no_sound_so_nobody_is_asked_for_it",
        "tests/companion/test_mind.py::test_every_sentence_of_its_own_may_be_kept_as_sound",
        "tests/companion/test_places.py::test_a_move_takes_everything_to_one_new_place",
        "tests/household/backups/test_pages.py::test_nobody_else_sees_the_box_or_takes_a_backup",
        "tests/household/test_first_run.py::test_guessing_ends_after_ten_wrong_codes",
        "tests/household/test_up.py::test_a_killed_child_of_any_kind_comes_back",
        "tests/household/test_up.py::test_a_second_up_on_the_same_folder_says_so_and_leaves_the_first_alone",
        "tests/household/test_up.py::test_an_ordinary_user_can_run_it",
        "tests/household/test_up.py::test_it_prints_its_addresses_and_a_code_that_opens_the_first_run",
        "tests/household/test_up.py::test_root_gives_the_database_an_account_of_its_own",
        "tests/memory/counting/test_night.py::test_late_words_and_a_forgetting_leave_what_nights_that_knew_it_all_along_would",
        "tests/memory/forgetting/test_canaries.py::test_of_a_day_that_was_lived_on_every_page_no_column_holds_a_word",
        "tests/memory/forgetting/test_never_knew.py::test_the_house_is_as_one_that_was_never_told",
        "tests/memory/forgetting/test_races.py::test_words_that_come_while_it_is_forgotten_wait_and_are_refused_or_emptied",
        "tests/memory/papers/test_photos.py::test_a_photo_in_the_phones_own_format_is_read_to_its_end",
        "tests/memory/rules/test_merge_laws.py::test_chats_merge_lawfully",
        "tests/memory/test_pattern_pages.py::test_every_page_opens_for_a_parent_in_at_most_ten_queries",
        "tests/memory/test_restoring.py::test_everybody_signs_in_anew_and_a_revoked_device_stays_revoked",
        "tests/memory/test_sync_races.py::test_parallel_writers_never_skip_a_cursor",
        "tests/twin/reading/test_laws.py::test_any_text_is_read_soundly",
        "tests/twin/test_arrival.py::test_a_day_told_of_by_two_rows_is_as_grave_as_the_graver_one_once_an_undated_word_left_it",
        "tests/twin/test_print.py::test_a_full_print_asks_no_more_than_a_nearly_empty_one",
        "tests/twin/test_races.py::test_thirty_missed_days_run_in_order_each_with_its_own_date",
        "tests/twin/test_rounds.py::test_late_words_end_like_words_told_in_time",
        "tests/twin/test_silence.py::test_a_chronic_course_settles_and_stays_however_long_it_is_seen_well",
        "tests/twin/test_silence.py::test_a_proposal_that_is_no_number_of_days_is_none",
        "tests/twin/test_silence.py::test_silence_never_closes_however_long_and_whatever_is_proposed",
    ),
)

# Tests with many cases, and files with many tests: each comes a day after the one before.
ONE_BY_ONE: tuple[str, ...] = (
    "tests/browser/live/test_asking_on.py",
    "tests/browser/live/test_dropped_files.py",
    "tests/browser/live/test_heard.py",
    "tests/browser/live/test_on_paper.py",
    "tests/browser/live/test_quick_hands.py",
    "tests/browser/live/test_small_screens.py",
    "tests/browser/live/test_undo_by_keys.py",
    "tests/companion/test_companion_heard.py",
    "tests/companion/test_companion_pages.py",
    "tests/companion/test_places.py::test_a_move_that_is_cut_leaves_the_copy_it_came_from",
    "tests/companion/test_places.py::test_what_an_older_page_kept_comes_along_though_the_power_is_cut",
    "tests/household/box/test_cluster.py",
    "tests/household/box/test_forking.py",
    "tests/household/notices/test_languages.py::test_an_email_of_each_kind_speaks_the_readers_language_and_no_other",
    "tests/household/test_prepared.py::test_everybody_sees_of_it_what_is_visible_to_them",
    "tests/household/test_up.py::test_a_setting_that_cannot_work_ends_in_one_sentence",
    "tests/household/test_walls_agree.py::test_the_two_walls_agree_on_rows_of_others_and_own_ones",
    "tests/memory/asking/test_conversations.py::test_a_conversation_begins_anew_where_less_may_be_viewed_than_before",
    "tests/memory/asking/test_models.py::test_a_kept_answer_is_given_to_no_other_question",
    "tests/memory/asking/test_models.py::test_orders_in_somebodys_words_change_nothing",
    "tests/memory/asking/test_models.py::test_whatever_a_model_does_the_composer_answers",
    "tests/memory/forgetting/test_pages.py::test_the_proof_tells_how_far_the_bytes_are",
    "tests/memory/forgetting/test_pages.py::test_what_the_look_counts_is_what_goes",
    "tests/memory/forgetting/test_races.py::test_words_that_came_first_and_were_not_finished_are_forgotten_too",
    "tests/memory/papers/test_model_summary.py::test_a_model_that_fails_leaves_the_summary_to_the_rules",
    "tests/memory/papers/test_pipeline.py::test_a_report_as_text_is_read_to_its_end",
    "tests/memory/papers/test_states.py::test_each_state_says_what_it_is_in_ten_queries",
    "tests/memory/test_sync_races.py::test_words_and_their_forgetting_at_once_leave_no_words",
    "tests/memory/test_wire_contract.py::test_nothing_is_answered_with_a_500",
    "tests/security/test_every_address.py::test_denied_and_absent_look_the_same",
    "tests/security/test_every_address.py::test_everybody_gets_what_the_matrix_says",
    "tests/security/test_every_address.py::test_with_the_first_wall_off_the_second_shows_nothing",
    "tests/security/test_origins.py::test_a_form_of_another_site_is_refused",
    "tests/security/test_origins.py::test_a_form_works_under_every_name_of_the_box",
    "tests/security/test_sign_in.py::test_no_other_page_leads_elsewhere",
    "tests/security/test_sign_in.py::test_signing_in_leads_nowhere_else",
    "tests/twin/importing/test_undo.py::test_a_child_about_whom_more_is_written_stays_and_it_is_said",
    "tests/twin/reading/test_own_cases.py::test_statements_run_together_with_strange_marks_are_read_without_a_fault",
    "tests/twin/rules/test_when_laws.py::test_ten_thousand_characters_are_read",
)

# What is really tried every day, by these.
EVERY_DAY: tuple[str, ...] = (
    # every page one comes to by links is opened
    "tests/browser/live/test_every_page.py::test_no_page_scrolls_sideways_or_breaks",
    # a running box is killed, tablets sync with it over HTTP, and what it forgets leaves them
    "tests/device/test_faults.py",
    # a backup is made and restored
    "tests/memory/test_restoring.py::test_a_new_epoch_begins_and_no_number_is_given_twice",
    # a worker is killed within a night
    "tests/twin/test_round_faults.py::test_a_process_that_ends_within_a_night_keeps_only_a_lease_that_runs_out",
    # of who is forgotten no column holds a word
    "tests/memory/forgetting/test_canaries.py::test_of_a_forgotten_subject_no_column_of_any_table_holds_a_word",
    # behind the second wall nobody who asks sees nothing
    "tests/household/test_walls_agree.py::test_nobody_who_asks_sees_nothing",
    # a process that reads a paper dies
    "tests/memory/papers/test_harm.py::test_a_reader_that_dies_is_told_apart",
    # a voice speaks
    "tests/voice/test_piper.py::test_the_bundled_voice_speaks_out_of_the_box",
)

TURNS = {entry: day for day, entries in enumerate(WEEK) for entry in entries}
TURNS |= {entry: at for at, entry in enumerate(ONE_BY_ONE)}


def turns_of(tests: Iterable[str]) -> list[int | None]:
    """The turn of each test, given as node ids in their order; None for one that comes every day."""
    turns: list[int | None] = []
    before: Counter[str] = Counter()
    for test in tests:
        entry = entry_of(test)
        turns.append(None if entry is None else TURNS[entry] + before[entry])
        before[entry or ""] += entry in ONE_BY_ONE
    return turns


def entry_of(test: str) -> str | None:
    """What a test, given as node id, is named by: itself or its file; None where it is not named."""
    named = test.partition("[")[0]
    return next((entry for entry in (named, named.partition("::")[0]) if entry in TURNS), None)


def is_due(turn: int | None, *, day: int = SLICE) -> bool:
    """Whether a test with this turn runs on this day."""
    return turn is None or (turn + day) % DAYS == 0


def is_whole(config: pytest.Config) -> bool:
    """Whether a run takes everything: a long one, or one that asks for files or tests by their names."""
    named = any("::" in argument or argument.endswith(".py") for argument in config.args)
    return IS_LONG or named or bool(config.option.keyword)


def leave_for_other_days(config: pytest.Config, tests: list[pytest.Item]) -> None:
    """Take out of these tests those whose turn is on another day, and tell their number."""
    if is_whole(config):
        return
    turns = turns_of([test.nodeid for test in tests])
    due, others = [], []
    for test, turn in zip(tests, turns, strict=True):
        (due if is_due(turn) else others).append(test)
    tests[:] = due
    config.hook.pytest_deselected(items=others)
    config.stash[LEFT] = len(others)
    if hasattr(config, "workeroutput"):  # one of several processes of a run
        config.workeroutput["left"] = len(others)
